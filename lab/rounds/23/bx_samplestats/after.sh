#!/bin/bash
# bx_samplestats - per sample: passing variants, transitions/transversions, mean depth; over a folder of VCF files.
set -euo pipefail

usage() { echo "usage: $0 sampledir out.tsv" >&2; exit 2; }
[ $# -eq 2 ] || usage
dir=$1; out=$2
[ -d "$dir" ] || { echo "$dir: no such folder" >&2; exit 1; }

tmp=$(mktemp "${out}.XXXXXX")
trap 'rm -f "$tmp"' EXIT

is_transition() {
    case $1$2 in
        AG|GA|CT|TC) return 0 ;;
    esac
    return 1
}

check_header() {
    head -1 "$1" | grep -q '^##fileformat=VCF' || { echo "$1: not a VCF" >&2; return 1; }
}

sample_stats() {
    local vcf=$1 name ts=0 tv=0 pass=0 all=0 depth=0 _c _p _i ref alt _q filter info dp
    name=$(basename "$vcf" .vcf)
    while IFS=$'\t' read -r _c _p _i ref alt _q filter info; do
        case $_c in '#'*) continue ;; esac
        all=$((all + 1))
        [ "$filter" = PASS ] || continue
        pass=$((pass + 1))
        dp=${info#*DP=}; dp=${dp%%;*}
        depth=$((depth + dp))
        if is_transition "$ref" "$alt"; then ts=$((ts + 1)); else tv=$((tv + 1)); fi
    done < "$vcf"
    printf '%s\t%d\t%d\t%d\t%d\t%d\n' "$name" "$all" "$pass" "$ts" "$tv" $((pass ? depth * 100 / pass : 0))
}

printf '#sample\tall\tpass\tts\ttv\tdepth_x100\n' > "$tmp"
n=0
for vcf in "$dir"/*.vcf; do
    check_header "$vcf"
    sample_stats "$vcf" >> "$tmp"
    n=$((n + 1))
done
{ head -1 "$tmp"; tail -n +2 "$tmp" | sort -k3,3nr -k1,1; } > "$out"
echo "$n samples"
cat "$out"
