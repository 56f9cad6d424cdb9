#!/bin/bash
# Daily report from a gateway access log: requests and bytes for each service,
# slow requests, and a count of error codes.
set -eu

log=${1:?access log}
limit=${2:-900}
work=report
mkdir -p "$work"

say() { printf '%-22s %s\n' "$1" "$2"; }

service_of() {
    # /api/orders/123?x=1 -> orders
    echo "$1" | cut -d/ -f3 | sed 's/[?].*//'
}

declare -A requests bytes errors
slow=0
total=0
: > "$work/slow.txt"

while read -r line; do
    path=$(echo "$line" | awk '{print $4}')
    code=$(echo "$line" | awk '{print $5}')
    size=$(echo "$line" | awk '{print $6}')
    msec=${line##* }
    svc=$(service_of "$path")
    requests[$svc]=$(( ${requests[$svc]:-0} + 1 ))
    bytes[$svc]=$(( ${bytes[$svc]:-0} + size ))
    if [ "$code" -ge 500 ]; then
        errors[$code]=$(( ${errors[$code]:-0} + 1 ))
    fi
    if [ "$msec" -gt "$limit" ]; then
        slow=$((slow + 1))
        echo "$svc $msec $path" >> "$work/slow.txt"
    fi
    total=$((total + 1))
done < "$log"

{
    for svc in "${!requests[@]}"; do
        echo "$svc ${requests[$svc]} ${bytes[$svc]}"
    done
} | sort > "$work/services.txt"

{
    for code in "${!errors[@]}"; do
        echo "$code ${errors[$code]}"
    done
} | sort > "$work/errors.txt"

say "requests" "$total"
say "slow (> $limit ms)" "$slow"
while read -r svc n b; do
    say "  $svc" "$n requests, $b bytes"
done < "$work/services.txt"
while read -r code n; do
    say "  error $code" "$n"
done < "$work/errors.txt"
sort -k2,2nr -k1 "$work/slow.txt" | head -n 3
cat "$work"/*.txt | cksum
