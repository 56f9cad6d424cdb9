#!/usr/bin/env bash
# primer_table.sh PANEL.tsv OUT.tsv
# Turns the panel sheet (amplicon, forward, reverse) into the order table:
# forward primer, reverse complement of the reverse primer, GC counts and
# the Wallace melting temperature of both (2*(A+T) + 4*(G+C)).
set -euo pipefail
export LC_ALL=C

panel=${1:?usage: primer_table.sh PANEL.tsv OUT.tsv}
out=${2:?usage: primer_table.sh PANEL.tsv OUT.tsv}

# reverse complement
revcomp() {
    echo "$1" | rev | tr ACGTacgt TGCAtgca
}

# number of G and C
gc_count() {
    echo -n "$1" | tr -cd GCgc | wc -c
}

# Wallace rule
wallace() {
    local gc=$2 len=${#1}
    echo $(( 2 * (len - gc) + 4 * gc ))
}

printf 'amplicon\tfwd\trev_rc\tgc_fwd\tgc_rev\ttm_fwd\ttm_rev\n' > "$out"
n=0
far=0
while IFS=$'\t' read -r amp fwd rev; do
    case $amp in '#'*) continue ;; esac
    rc=$(revcomp "$rev")
    gf=$(gc_count "$fwd")
    gr=$(gc_count "$rc")
    tf=$(wallace "$fwd" "$gf")
    tr=$(wallace "$rc" "$gr")
    printf '%s\t%s\t%s\t%d\t%d\t%d\t%d\n' "$amp" "$fwd" "$rc" "$gf" "$gr" "$tf" "$tr"
    d=$(( tf - tr ))
    if [ "${d#-}" -gt 12 ]; then far=$((far + 1)); fi
    n=$((n + 1))
done < "$panel" >> "$out"

echo "amplicons $n"
echo "pairs with more than 12 degrees between primers $far"
cksum < "$out"
