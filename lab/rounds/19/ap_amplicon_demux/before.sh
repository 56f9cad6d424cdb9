#!/bin/bash
# demux.sh READS.fastq BARCODES.tsv OUTDIR
# Assigns amplicon reads to samples by their first 8 bases, drops short and
# low-complexity inserts and writes a FASTA file per sample plus a table.
set -euo pipefail
export LC_ALL=C

reads=$1
barcodes=$2
outdir=$3
minlen=75

log() { echo "[demux] $*" >> "$outdir/demux.log"; }

load_barcodes() {
    declare -gA sample_of
    local bc name
    while IFS=$'\t' read -r bc name; do
        sample_of[$bc]=$name
    done < "$barcodes"
    log "barcodes: ${#sample_of[@]}"
}

gc_percent() {
    local seq=$1 gc
    gc=$(echo "$seq" | tr -cd 'GC' | wc -c)
    echo $(( 100 * gc / ${#seq} ))
}

distinct_dimers() {
    echo "$1" | fold -w 2 | sort -u | wc -l
}

demux() {
    local head seq plus qual bc insert name gc dimers
    local total=0 kept=0 nobc=0 short=0 simple=0
    while read -r head && read -r seq && read -r plus && read -r qual; do
        total=$((total + 1))
        bc=$(echo "$seq" | cut -c1-8)
        insert=$(echo "$seq" | cut -c9-)
        name=${sample_of[$bc]:-}
        if [ -z "$name" ]; then
            nobc=$((nobc + 1))
            continue
        fi
        if [ ${#insert} -lt $minlen ]; then
            short=$((short + 1))
            continue
        fi
        dimers=$(distinct_dimers "$insert")
        if [ "$dimers" -lt 12 ]; then
            simple=$((simple + 1))
            continue
        fi
        gc=$(gc_percent "$insert")
        printf '>%s gc=%d\n%s\n' "${head#@}" "$gc" "$insert" >> "$outdir/$name.fa"
        printf '%s\t%s\t%d\t%d\t%d\n' "${head#@}" "$name" "${#insert}" "$gc" "$dimers" >> "$outdir/reads.tsv"
        kept=$((kept + 1))
    done < "$reads"
    log "total $total kept $kept nobc $nobc short $short simple $simple"
}

summary() {
    sort -k2,2 -k1,1 "$outdir/reads.tsv" |
        awk -F'\t' '{ n[$2]++; len[$2] += $3; gc[$2] += $4; dim[$2] += $5 }
            END { for (s in n) printf "%s\t%d\t%.2f\t%.2f\t%.2f\n", s, n[s], len[s]/n[s], gc[s]/n[s], dim[s]/n[s] }' |
        sort > "$outdir/summary.tsv"
}

rm -rf "$outdir"
mkdir -p "$outdir"
load_barcodes
demux
summary
cat "$outdir/summary.tsv"
cat "$outdir/demux.log" "$outdir"/S*.fa "$outdir/reads.tsv" | cksum
