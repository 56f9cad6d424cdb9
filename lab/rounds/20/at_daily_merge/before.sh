#!/bin/sh
# Merge the pick files of the days: each day is cleaned and sorted by station and time
# on its own (two at a time), then the sorted days are merged and checked.
pattern=${1:-picks_}
least=${least:-0.15}
LC_ALL=C
export LC_ALL least

run_day() {
    day=${1#picks_}
    day=${day%.txt}
    awk -v least="$least" '!/^#/ && $5 >= least { printf "%s %s %03d %09.2f %s\n", $3, $4, $1, $2, $5 }' "$1" |
        sort -k1,1 -k3,3 -k4,4 -k2,2 -k5,5 -u > "sorted_$day.tmp"
    wc -l < "sorted_$day.tmp" | awk -v d="$day" '{ print d, $1 }' > "count_$day.tmp"
}

# called again by xargs for one day
if [ "$1" = --day ]; then
    run_day "$2"
    exit 0
fi

set -- "$pattern"*.txt
if [ ! -r "$1" ]; then
    echo "no files $pattern*.txt" >&2
    exit 1
fi

merge_days() {
    sort -m -k1,1 -k3,3 -k4,4 -k2,2 -k5,5 sorted_*.tmp > merged.txt
}

# P followed by S at the same station within 40 s
pairs() {
    awk '
        $1 == sta && $3 == day && $2 == "S" && phase == "P" && $4 - t < 40 { n++; sum += $4 - t }
        { sta = $1; phase = $2; day = $3; t = $4 }
        END { printf "pairs %d mean %.4f\n", n, n ? sum / n : 0 }' merged.txt
}

stations() {
    awk '{ n[$1]++; w[$1] += $5 } END { for (s in n) printf "%s %d %.4f\n", s, n[s], w[s] / n[s] }' merged.txt |
        sort | head -n 5
}

# days whose number of picks is far from the mean
odd_days() {
    awk '{ d[NR] = $1; n[NR] = $2; s += $2 }
         END { m = s / NR; for (i = 1; i <= NR; i++) if (n[i] < 0.5 * m || n[i] > 2 * m) print "odd day", d[i], n[i] }' counts.txt
}

printf '%s\n' "$@" | xargs -P 2 -n 1 sh "$0" --day
merge_days
cat count_*.tmp | sort > counts.txt
rm -f sorted_*.tmp count_*.tmp

echo "days $#"
awk '{ s += $2 } END { print "picks", s }' counts.txt
odd_days
pairs
stations
cksum < merged.txt | cut -d' ' -f1
