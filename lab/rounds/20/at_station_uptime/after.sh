#!/bin/sh
# Uptime of the stations from the log of gaps: seconds missing by station
# (vertical components), the gaps by reason, the longest gap of each station.
log=${1:-gaps.log}
conf=${2:-uptime.conf}
LC_ALL=C
export LC_ALL

setting() {
    awk -v key="$1" -v def="$2" '$1 == key { v = $2 } END { print v == "" ? def : v }' "$conf"
}

min_gap=$(setting min_gap 1)
period=$(setting period 31622400)

if [ ! -r "$log" ]; then
    echo "$log: cannot read" >&2
    exit 1
fi

vertical() {
    grep 'HHZ ' "$log" | sort
}

# one line per gap: station, month, seconds, reason
normalise() {
    awk -v least="$min_gap" '{
        split($2, channel, ".")
        seconds = substr($3, 5)
        if (seconds + 0 >= least)
            print channel[2], substr($1, 6, 2), seconds, substr($4, 8)
    }'
}

by_station() {
    awk -v period="$period" '
        { missing[$1] += $3; n[$1]++; if ($3 > longest[$1]) longest[$1] = $3 }
        END {
            for (s in missing)
                printf "%s %d gaps %d s longest %d uptime %.4f\n", s, n[s], missing[s], longest[s], 100 * (1 - missing[s] / period)
        }' normal.txt | sort
}

by_reason() {
    awk '{ n[$4]++; s[$4] += $3 } END { for (r in n) print r, n[r], s[r] }' normal.txt | sort
}

by_month() {
    awk '{ s[$2] += $3 } END { for (m in s) print m, s[m] }' normal.txt | sort
}

vertical > vertical.txt
normalise < vertical.txt > normal.txt

{
    echo "# station table"
    by_station
    echo "# reasons"
    by_reason
    echo "# months"
    by_month
} > uptime.txt

cat uptime.txt
echo "gaps used: $(wc -l < normal.txt)"
