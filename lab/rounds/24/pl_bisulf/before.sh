#!/bin/bash
# bisulf: methylation context table of bisulfite reads
# three stages after each other in a pipe: find cytosines and contexts | fold into windows | table
# usage: bisulf.sh READS.fa OUT.tsv
set -euo pipefail
export LC_ALL=C

[ $# -eq 2 ] || { echo "usage: bisulf.sh READS.fa OUT.tsv" >&2; exit 2; }
reads=$1
out=$2
[ -s "$reads" ] || { echo "bisulf: $reads is missing or empty" >&2; exit 1; }

trap 'rm -f "$out.part"' EXIT

contexts() {  # one line per read: chromosome and the string of context letters
    awk '
        /^>/ { chrom = $2; next }
        {
            s = ""
            gc = 0
            n = length($0)
            for (i = 1; i <= n; i++) {
                b = substr($0, i, 1)
                if (b == "C" || b == "G") gc++
                if (b == "G") {              # other strand
                    s = s (substr($0, i - 1, 1) == "C" ? "z" : "h")
                    continue
                }
                if (b != "C") { s = s (b == "T" ? "t" : "."); continue }
                m = substr($0, i + 1, 2)
                if (m ~ /^G/) s = s "Z"
                else if (m ~ /^[ACT]G/) s = s "X"
                else s = s "H"
            }
            if (gc >= n / 5 && gc <= 4 * n / 5) print chrom, s    # reads of odd composition are left out
        }' "$1"
}

windows() {  # counts of each letter by chromosome and position in the read, smoothed over neighbours
    awk '
        {
            n = length($2)
            last = "."
            for (i = 1; i <= n; i++) {
                c = substr($2, i, 1)
                if (c == "." || c == "h") { last = "."; continue }
                count[$1, c, int(i / 4)]++
                if (last != ".") pair[$1, last c]++
                last = c
            }
        }
        END {
            for (k in count) { split(k, p, SUBSEP); print "win", p[1], p[2], p[3], count[k] }
            for (k in pair) { split(k, p, SUBSEP); print "pair", p[1], p[2], 0, pair[k] }
        }'
}

table() {
    sort -k1,1 -k2,2 -k3,3 -k4,4n | awk '{ printf "%s\t%s\t%s\t%d\t%d\n", $1, $2, $3, $4, $5; t += $5 } END { print "total\t" t }'
}

contexts "$reads" | windows | table > "$out.part"
mv "$out.part" "$out"
tail -n 1 "$out"
