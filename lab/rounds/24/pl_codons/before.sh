#!/bin/bash
# codons: codon usage and reading-frame checks of coding sequences, in bash alone (for rescue systems without awk)
# usage: codons.sh CDS.fa OUT.tsv
set -eu
LC_ALL=C

[ $# -eq 2 ] || { echo "usage: codons.sh CDS.fa OUT.tsv" >&2; exit 2; }
fasta=$1
out=$2
[ -r "$fasta" ] || { echo "codons: cannot read $fasta" >&2; exit 1; }

declare -A usage=() gene_gc=() stops=()
genes=()

is_stop() {
    case $1 in
        TAA|TAG|TGA) return 0 ;;
    esac
    return 1
}

count_gene() {
    local name=$1 seq=$2 i codon gc=0 inner=0 n=${#2}
    if (( n % 3 != 0 )); then
        echo "codons: $name: length $n is no multiple of 3" >&2
        return 0
    fi
    for (( i = 0; i < n; i += 3 )); do
        codon=${seq:i:3}
        (( usage[$codon] += 1 ))
        case $codon in *[GC]) (( gc += 1 )) ;; esac
        if (( i + 3 < n )) && is_stop "$codon"; then
            (( inner += 1 ))
        fi
    done
    genes+=("$name")
    gene_gc[$name]=$(( 1000 * gc * 3 / n ))
    stops[$name]=$inner
    return 0
}

mapfile -t lines < "$fasta"
name=
for line in "${lines[@]}"; do
    if [[ $line == \>* ]]; then
        name=${line#>}
    else
        count_gene "$name" "$line" || true
    fi
done

{
    printf 'gene\tgc3_permille\tinner_stops\n'
    for name in "${genes[@]}"; do
        printf '%s\t%d\t%d\n' "$name" "${gene_gc[$name]}" "${stops[$name]}"
    done
    for a in A C G T; do
        for b in A C G T; do
            for c in A C G T; do
                printf 'codon\t%s\t%d\n' "$a$b$c" "${usage[$a$b$c]:-0}"
            done
        done
    done
} > "$out"
printf '%d genes\n' "${#genes[@]}"
