#!/bin/bash
# vcfannot: add allele fraction and a support class to the calls of one sample, write a table per class
# usage: vcfannot.sh CALLS.vcf MIN_DP OUTDIR
set -euo pipefail
export LC_ALL=C

die() { echo "vcfannot: $*" >&2; exit 1; }

[ $# -eq 3 ] || die "usage: vcfannot.sh CALLS.vcf MIN_DP OUTDIR"
vcf=$1
min_dp=$2
outdir=$3
[ -r "$vcf" ] || die "cannot read $vcf"
head -n 1 "$vcf" | grep -q '^##fileformat=VCF' || die "$vcf is no VCF file"
mkdir -p "$outdir"
rm -f "$outdir"/*.tsv

annotate() {
    awk -F'\t' -v min="$min_dp" -v out="$outdir" '
        /^#/ { next }
        {
            dp = $8; sub(/.*DP=/, "", dp); sub(/[^0-9].*/, "", dp)
            ad = $8; sub(/.*AD=/, "", ad); sub(/[^0-9].*/, "", ad)
            if (dp + 0 < min) { print $1 ":" $2 " depth " dp > (out "/dropped.tsv"); next }
            af = sprintf("%.4f", ad / dp)
            class = "het"
            if (af ~ /^0\.[01]/) class = "low"
            if (af ~ /^(0\.9|1\.0)/) class = "hom"
            printf "%s\t%s\t%s\t%s\t%s\t%s\n", $1, $2, $4, $5, dp, af > (out "/" class ".tsv")
        }' "$vcf"
}

summary() {
    local f
    for f in "$outdir"/*.tsv; do
        printf '%s\t%d\t%s\n' "$(basename "$f" .tsv)" "$(wc -l < "$f")" "$(md5sum < "$f" | cut -c1-12)"
    done
}

annotate
summary | sort > "$outdir/summary.txt"
cat "$outdir/summary.txt"
