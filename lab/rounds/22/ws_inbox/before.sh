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

field() {            # field FILE KEY
    head -n 1 "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"
}

header() {           # sets sat prod time size of FILE
    sat=$(field "$1" SAT)
    prod=$(field "$1" PROD)
    time=$(field "$1" TIME)
    size=$(field "$1" SIZE)
}

check() {            # FILE: the body must have the announced size
    local have
    have=$(stat -c %s "$1")
    [ "$have" -eq "$size" ]
}

day_of() {
    date -d "@$1" +%Y/%m/%d
}

mkdir -p "$store" "$store/rejected"
: > "$ledger"
n=0 bad=0 bytes=0
for f in "$inbox"/*.seg; do
    [ -e "$f" ] || { say "inbox empty"; break; }
    header "$f"
    if [ -z "$sat" ] || [ -z "$time" ] || ! check "$f"; then
        mv "$f" "$store/rejected/"
        bad=$((bad + 1))
        continue
    fi
    dir=$store/$(day_of "$time")/$prod
    mkdir -p "$dir"
    mv "$f" "$dir/"
    echo "$sat $prod $time $size $(basename "$f" .seg)" >> "$ledger"
    n=$((n + 1))
    bytes=$((bytes + size))
done
sort -k3,3n -k1,1 -k5,5 -o "$ledger" "$ledger"
awk '{ c[$2]++; b[$2] += $4 } END { for (p in c) printf "%-8s %5d %10d\n", p, c[p], b[p] }' "$ledger" | sort
echo "$n filed, $bad rejected, $bytes bytes"
find "$store" -type f | wc -l
