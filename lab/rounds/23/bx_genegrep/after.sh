#!/bin/bash
# bx_genegrep - exon BED files of the genes of a panel, one per gene, and a summary of the panel.
set -euo pipefail

[ $# -eq 3 ] || { echo "usage: $0 panel.txt annotation.gtf outdir" >&2; exit 2; }
panel=$1 gtf=$2 out=$3
for f in "$panel" "$gtf"; do
    [ -r "$f" ] || { echo "$f: cannot read" >&2; exit 1; }
done
mkdir -p "$out"

genes=$(grep -v '^#' "$panel" | sort -u)

exons=$(mktemp); trap 'rm -f "$exons"' EXIT
awk -F'\t' '                  # one pass: the exons of all genes of the panel
    NR == FNR { want[$1] = 1; next }
    /^#/ { next }
    $3 == "exon" {
        i = index($9, "gene_name \""); if (!i) next
        g = substr($9, i + 11); g = substr(g, 1, index(g, "\"") - 1)
        if (g in want) printf "%s\t%d\t%d\t%s\n", $1, $4 - 1, $5, g
    }' <(echo "$genes") "$gtf" > "$exons"

exons_of() { awk -F'\t' -v g="$1" '$4 == g' "$exons"; }

merge() {               # sorted BED -> union
    awk -F'\t' -v OFS='\t' '
        $1 == c && $2 <= e { if ($3 > e) e = $3; next }
        c != "" { print c, b, e, g }
        { c = $1; b = $2; e = $3; g = $4 }
        END { if (c != "") print c, b, e, g }'
}

missing=0
for gene in $genes; do
    exons_of "$gene" | sort -k1,1 -k2,2n | merge > "$out/$gene.bed"
    if [ ! -s "$out/$gene.bed" ]; then
        echo "warning: $gene not in $gtf" >&2
        missing=$((missing + 1))
    fi
done

cat "$out"/GN*.bed | sort -k1,1 -k2,2n |
    awk -F'\t' '{ n++; len += $3 - $2; seen[$4] = 1 }
        END { for (g in seen) k++; printf "%d genes, %d intervals, %d bases\n", k, n, len }' > "$out/panel.summary"
cat "$out/panel.summary"
echo "missing: $missing"
