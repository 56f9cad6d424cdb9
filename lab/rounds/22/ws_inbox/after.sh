#!/bin/bash
# ws_inbox: files the incoming satellite segments of the night. For each file of
# inbox/ it reads the header line ("SAT=.. PROD=.. TIME=epoch SIZE=.."), checks
# the size, moves it to store/YYYY/MM/DD/PROD/ and adds a line to the ledger.
set -eu
export LC_ALL=C TZ=UTC
inbox=${1:-inbox}
store=${2:-store}
ledger=$store/ledger.txt

say() { echo "ws_inbox: $*" >&2; }

header() {           # sets sat prod time size of FILE
    local line w
    sat= prod= time= size=
    IFS= read -r line < "$1" || true
    for w in $line; do
        case $w in
            SAT=*) sat=${w#*=} ;;
            PROD=*) prod=${w#*=} ;;
            TIME=*) time=${w#*=} ;;
            SIZE=*) size=${w#*=} ;;
        esac
    done
}

mkdir -p "$store" "$store/rejected"
: > "$ledger"
n=0 bad=0 bytes=0
declare -A have move
while read -r s name; do have[$name]=$s; done < <(find "$inbox" -name '*.seg' -printf '%s %p\n')
reject=()
for f in "$inbox"/*.seg; do
    [ -e "$f" ] || { say "inbox empty"; break; }
    header "$f"
    if [ -z "$sat" ] || [ -z "$time" ] || [ "${have[$f]}" -ne "$size" ]; then
        reject+=("$f")
        bad=$((bad + 1))
        continue
    fi
    printf -v day '%(%Y/%m/%d)T' "$time"
    move[$store/$day/$prod]+="$f "
    base=${f##*/}
    echo "$sat $prod $time $size ${base%.seg}" >> "$ledger"
    n=$((n + 1))
    bytes=$((bytes + size))
done
[ ${#reject[@]} -eq 0 ] || mv "${reject[@]}" "$store/rejected/"
mkdir -p "${!move[@]}"
for dir in "${!move[@]}"; do
    mv ${move[$dir]} "$dir/"
done
sort -k3,3n -k1,1 -k5,5 -o "$ledger" "$ledger"
awk '{ c[$2]++; b[$2] += $4 } END { for (p in c) printf "%-8s %5d %10d\n", p, c[p], b[p] }' "$ledger" | sort
echo "$n filed, $bad rejected, $bytes bytes"
find "$store" -type f | wc -l
