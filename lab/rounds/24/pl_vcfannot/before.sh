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

classify() {  # allele fraction -> class
    local af=$1
    case $af in
        0.0*|0.1*) echo low ;;
        0.9*|1.0*) echo hom ;;
        *)         echo het ;;
    esac
}

annotate() {
    local line chrom pos ref alt qual info dp ad af class
    while IFS= read -r line; do
        case $line in \#*) continue ;; esac
        chrom=$(echo "$line" | cut -f1)
        pos=$(echo "$line" | cut -f2)
        ref=$(echo "$line" | cut -f4)
        alt=$(echo "$line" | cut -f5)
        info=$(echo "$line" | cut -f8)
        dp=$(echo "$info" | sed -n 's/.*DP=\([0-9]*\).*/\1/p')
        ad=$(echo "$info" | sed -n 's/.*AD=\([0-9]*\).*/\1/p')
        if [ "$dp" -lt "$min_dp" ]; then
            echo "$chrom:$pos depth $dp" >> "$outdir/dropped.tsv"
            continue
        fi
        af=$(awk -v a="$ad" -v d="$dp" 'BEGIN { printf "%.4f", a / d }')
        class=$(classify "$af")
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$chrom" "$pos" "$ref" "$alt" "$dp" "$af" >> "$outdir/$class.tsv"
    done < "$vcf"
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
