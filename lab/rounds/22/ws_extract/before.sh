#!/bin/bash
# ws_extract: monthly report of the climate reference stations out of the packed
# observation archive of the month (station,time,temp,rain,wind). One csv per
# station with the daily values, and a summary table.
set -euo pipefail
export LC_ALL=C
archive=${1:-obs_202405.csv.gz}
list=${2:-reference.lst}
out=${3:-report}

die() { echo "ws_extract: $*" >&2; exit 1; }

[ -r "$archive" ] || die "no archive $archive"
[ -r "$list" ] || die "no station list $list"
mkdir -p "$out"

station_rows() {        # ID: all rows of the station
    gzip -dc "$archive" | grep "^$1," || true
}

daily() {               # rows of one station -> day;n;tmean;tmin;tmax;rain
    awk -F, '
        { d = substr($2, 1, 8)
          if (!(d in n)) { lo[d] = hi[d] = $3; order[++k] = d }
          n[d]++; s[d] += $3; r[d] += $4
          if ($3 < lo[d]) lo[d] = $3
          if ($3 > hi[d]) hi[d] = $3 }
        END { for (i = 1; i <= k; i++) { d = order[i]
              printf "%s;%d;%.2f;%.1f;%.1f;%.1f\n", d, n[d], s[d] / n[d], lo[d], hi[d], r[d] } }'
}

summary_line() {        # ID FILE
    awk -F';' -v id="$1" '
        NR == 1 || $4 < lo { lo = $4 }
        NR == 1 || $5 > hi { hi = $5 }
        { n += $2; r += $6; t += $3 }
        END { printf "%s %d %d %.2f %.1f %.1f %.1f\n", id, NR, n, NR ? t / NR : 0, lo, hi, r }' "$2"
}

: > "$out/summary.txt"
while read -r id name; do
    case $id in ''|\#*) continue ;; esac
    file=$out/${id}_$name.csv
    station_rows "$id" | daily > "$file"
    if [ ! -s "$file" ]; then
        echo "no data for $id $name"
        rm -f "$file"
        continue
    fi
    summary_line "$id" "$file" >> "$out/summary.txt"
done < "$list"

sort -k4,4nr "$out/summary.txt" | head -n 5
echo "$(wc -l < "$out/summary.txt") stations, $(cat "$out"/*.csv | wc -l) daily rows"
