#!/usr/bin/env bash
# primer_table.sh PANEL.tsv OUT.tsv
# Turns the panel sheet (amplicon, forward, reverse) into the order table:
# forward primer, reverse complement of the reverse primer, GC counts and
# the Wallace melting temperature of both (2*(A+T) + 4*(G+C)).
set -euo pipefail
export LC_ALL=C

panel=${1:?usage: primer_table.sh PANEL.tsv OUT.tsv}
out=${2:?usage: primer_table.sh PANEL.tsv OUT.tsv}

awk -v out="$out" '
BEGIN {
    FS = OFS = "\t"
    comp["A"] = "T"; comp["C"] = "G"; comp["G"] = "C"; comp["T"] = "A"
    print "amplicon", "fwd", "rev_rc", "gc_fwd", "gc_rev", "tm_fwd", "tm_rev" > out
}
function revcomp(s,   i, r) {
    r = ""
    for (i = length(s); i > 0; i--) r = r comp[substr(s, i, 1)]
    return r
}
function gc_count(s) { return gsub(/[GCgc]/, "", s) }
/^#/ { next }
{
    rc = revcomp($3)
    gf = gc_count($2)
    gr = gc_count(rc)
    tf = 2 * (length($2) - gf) + 4 * gf
    tr = 2 * (length(rc) - gr) + 4 * gr
    print $1, $2, rc, gf, gr, tf, tr > out
    d = tf - tr
    if (d < 0) d = -d
    if (d > 12) far++
    n++
}
END {
    close(out)
    print "amplicons " n
    print "pairs with more than 12 degrees between primers " far + 0
}' "$panel"
cksum < "$out"
