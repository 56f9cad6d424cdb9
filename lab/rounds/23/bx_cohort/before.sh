#!/bin/bash
# bx_cohort - smoothed depth of a cohort: per sample a kernel over +-15 positions and robust z score in 500 bp windows,
# then one sorted, compressed table for all samples.
set -euo pipefail
export LC_ALL=C

[ $# -eq 2 ] || { echo "usage: $0 sampledir out.tsv.gz" >&2; exit 2; }
dir=$1; out=$2
work=$(mktemp -d cohort.XXXXXX)
trap 'rm -rf "$work"' EXIT

smooth() {              # depth file -> sample, chrom, window, mean smoothed depth, log ratio
    awk -F'\t' -v OFS='\t' -v s="$2" -v H=15 '
        function close_block(    i, j, lo, hi, w, sum, ws, k, win, a, c) {
            for (i = 0; i < n; i++) {
                lo = i - H < 0 ? 0 : i - H; hi = i + H >= n ? n - 1 : i + H
                sum = ws = 0
                for (j = lo; j <= hi; j++) {
                    w = exp(-(pos[j] - pos[i]) * (pos[j] - pos[i]) / 20000)
                    sum += w * dep[j]; ws += w
                }
                win = int(pos[i] / 500)
                a[win] += sum / ws; c[win]++
            }
            for (k in a) print s, chrom, k * 500, sprintf("%.3f", a[k] / c[k]), sprintf("%.4f", log((a[k] / c[k] + 0.5) / 30) / log(2))
            n = 0
        }
        $1 != chrom { if (n) close_block(); chrom = $1 }
        { pos[n] = $2; dep[n] = $3; n++ }
        END { if (n) close_block() }' "$1"
}

n=0
for f in "$dir"/*.depth; do
    name=$(basename "$f" .depth)
    smooth "$f" "$name" > "$work/$name.tsv"
    n=$((n + 1))
done

sort -m -k2,2 -k3,3n -k1,1 <(sort -k2,2 -k3,3n -k1,1 "$work/S00.tsv") \
    <(cat "$work"/S0[1-9].tsv | sort -k2,2 -k3,3n -k1,1) | gzip -1 -n > "$out"
echo "$n samples, $(zcat "$out" | wc -l) windows, $(zcat "$out" | cksum)"
