#!/usr/bin/env bash
# umi_saturation.sh OUT TAGS...
# Sequencing saturation per sample: 1 - (distinct cell/UMI/gene) / reads,
# from the tag tables (cell barcode, UMI, gene) that the mapper left behind.
# Also writes the collapsed table with the reads of each molecule.
set -euo pipefail
export LC_ALL=C

out=${1:?usage: umi_saturation.sh OUT TAGS...}
shift

tmp=$(mktemp -d ./umi.XXXXXX)
trap 'rm -rf "$tmp"' EXIT

: > "$out"
for tags in "$@"; do
    sample=$(basename "$tags" .tags)

    # molecules with their reads
    sort -T "$tmp" -S 200M --parallel=1 "$tags" \
        | uniq -c \
        | awk -v s="$sample" -v OFS='\t' '{ print s, $2, $3, $4, $1 }' > "$tmp/$sample.mol"

    # reads, molecules and the histogram of reads per molecule
    awk -v s="$sample" -F '\t' '
        { reads += $5; mol++; h[$5 > 5 ? 6 : $5]++; cell[$2]++ }
        END {
            for (c in cell) cells++
            printf "%s reads %d molecules %d cells %d saturation %.4f hist", s, reads, mol, cells, 1 - mol / reads
            for (i = 1; i <= 6; i++) printf " %d", h[i]
            printf "\n"
        }' "$tmp/$sample.mol"

    cat "$tmp/$sample.mol" >> "$out"
    rm "$tmp/$sample.mol"
done

# genes by molecules over all samples
echo "top genes:"
cut -f 4 "$out" | sort -T "$tmp" -S 200M --parallel=1 | uniq -c | sort -k1,1nr -k2,2 | awk 'NR <= 5 { print $2, $1 }'
cksum < "$out"
