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

demux() {
    awk -v out="$outdir" -v minlen="$minlen" '
        FNR == NR { sample[$1] = $2; nb++; next }
        FNR == 1  { print "[demux] barcodes: " nb >> (out "/demux.log") }
        FNR % 4 == 1 { head = substr($1, 2) }
        FNR % 4 != 2 { next }
        {
            total++
            name = sample[substr($1, 1, 8)]
            ins = substr($1, 9)
            n = length(ins)
            if (name == "") { nobc++; next }
            if (n < minlen) { short++; next }
            split("", seen); dimers = 0
            for (i = 1; i <= n; i += 2) { d = substr(ins, i, 2); if (!(d in seen)) { seen[d] = 1; dimers++ } }
            if (dimers < 12) { simple++; next }
            t = ins
            gc = int(100 * gsub(/[GC]/, "", t) / n)
            printf ">%s gc=%d\n%s\n", head, gc, ins > (out "/" name ".fa")
            printf "%s\t%s\t%d\t%d\t%d\n", head, name, n, gc, dimers > (out "/reads.tsv")
            kept++
        }
        END { printf "[demux] total %d kept %d nobc %d short %d simple %d\n", total, kept, nobc, short, simple >> (out "/demux.log") }
    ' "$barcodes" "$reads"
}

summary() {
    sort -k2,2 -k1,1 "$outdir/reads.tsv" |
        awk -F'\t' '{ n[$2]++; len[$2] += $3; gc[$2] += $4; dim[$2] += $5 }
            END { for (s in n) printf "%s\t%d\t%.2f\t%.2f\t%.2f\n", s, n[s], len[s]/n[s], gc[s]/n[s], dim[s]/n[s] }' |
        sort > "$outdir/summary.tsv"
}

rm -rf "$outdir"
mkdir -p "$outdir"
demux
summary
cat "$outdir/summary.tsv"
cat "$outdir/demux.log" "$outdir"/S*.fa "$outdir/reads.tsv" | cksum
