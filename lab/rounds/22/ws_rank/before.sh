#!/bin/bash
# ws_rank: extreme-value ranking of the heavy-rain events of all gauges. The
# event lists of the years are normalised, sorted by return period and gauge,
# and ranked; packed copies of the lists of the top gauges are kept.
# Structure of the GNU coreutils manual's sort examples (decorate, sort, cut).
set -euo pipefail
export LC_ALL=C
in=${1:-events}
out=${2:-rank}
mkdir -p "$out"
tmp=$(mktemp -d "$out/tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

normalise() {           # gauge;begin;minutes;mm -> key fields, intensity, return period
    awk -F';' '
        /^#/ || NF != 4 { next }
        $3 > 0 && $4 > 0 {
            i = $4 * 60 / $3
            base = 12 * exp(-0.62 * log($3 / 60))
            t = exp(1.9 * (i / base) - 0.3 * sqrt($3 / 60))
            printf "%s\t%s\t%d\t%.2f\t%.3f\t%.4f\n", $1, $2, $3, $4, i, t
        }' "$@"
}

rank_all() {
    sort -t $'\t' -k6,6gr -k1,1 -k2,2 -S 200M --parallel=1 -T "$tmp" "$1"
}

find "$in" -name 'ev_*.txt' -print0 | sort -z | xargs -0 cat > "$tmp/all.txt"
normalise "$tmp/all.txt" > "$tmp/norm.tsv"
rank_all "$tmp/norm.tsv" > "$out/ranked.tsv"
head -n 100 "$out/ranked.tsv" | cut -f1 | sort | uniq -c | sort -k1,1nr -k2,2 | awk 'NR <= 10 { print $2, $1 }' > "$out/top_gauges.txt"
awk -F'\t' '!($1 in best) { best[$1] = $6; when[$1] = $2 } END { for (g in best) print g, when[g], best[g] }' "$out/ranked.tsv" |
    sort > "$out/gauge_max.txt"
while read -r g n; do
    grep -m 50 "^$g	" "$out/ranked.tsv" | gzip -n > "$out/$g.tsv.gz"
done < "$out/top_gauges.txt"
wc -l < "$out/ranked.tsv"
cat "$out/top_gauges.txt"
