#!/bin/bash
# orthologs.sh A_vs_B.m8 B_vs_A.m8 OUT.tsv
# Reciprocal best hits from two tabular BLAST reports.
set -euo pipefail
export LC_ALL=C

ab=$1
ba=$2
out=$3
max_evalue=1e-5
min_length=60

work=$(mktemp -d "${TMPDIR:-.}/rbh.XXXXXX")
trap 'rm -rf "$work"' EXIT

check_report() {
    awk -F'\t' -v f="$1" 'NF != 6 { print "bad line " NR " in " f > "/dev/stderr"; bad = 1; exit }
                          END { exit bad }' "$1"
}

# query, subject, bits: acceptable hits only
filter_hits() {
    awk -F'\t' -v OFS='\t' -v e="$max_evalue" -v l="$min_length" \
        '$5 + 0 <= e + 0 && $4 >= l { print $1, $2, $6, $3 }' "$1"
}

# the best hit of each query, ties by identity and then by name
best_hit() {
    sort -t$'\t' -k1,1 -k3,3gr -k4,4gr -k2,2 |
        awk -F'\t' '$1 != last { print; last = $1 }'
}

swap_columns() {
    awk -F'\t' -v OFS='\t' '{ print $2, $1, $3, $4 }'
}

pair_key() {
    awk -F'\t' -v OFS='\t' '{ print $1 "|" $2, $3, $4 }' | sort -t$'\t' -k1,1
}

for report in "$ab" "$ba"; do
    check_report "$report"
done

filter_hits "$ab" | best_hit | pair_key > "$work/ab.best"
filter_hits "$ba" | best_hit | swap_columns | pair_key > "$work/ba.best"

join -t$'\t' -j 1 "$work/ab.best" "$work/ba.best" > "$work/rbh"

awk -F'\t' -v OFS='\t' '{
    split($1, p, "|")
    printf "%s\t%s\t%.1f\t%.2f\n", p[1], p[2], ($2 + $4) / 2, ($3 + $5) / 2
}' "$work/rbh" | sort -t$'\t' -k3,3gr -k1,1 > "$out"

histogram() {
    awk -F'\t' '{ b = int($4 / 10); n[b]++ } END { for (i = 2; i < 10; i++) printf "%d-%d%%\t%d\n", 10*i, 10*i+10, n[i] }' "$1"
}

histogram "$out" > "$out.identity"

printf 'pairs %d\n' "$(wc -l < "$out")"
cat "$out" "$out.identity" | cksum
