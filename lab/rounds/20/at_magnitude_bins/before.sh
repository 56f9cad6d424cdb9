#!/bin/sh
# Magnitude statistics of an event list in the FDSN text format: the largest event
# of each month, the table of the bins, the shares of the authors.
list=${1:-events.psv}
width=0.5
keep=2.0
LC_ALL=C
export LC_ALL

if [ ! -r "$list" ]; then
    echo "$list: cannot read" >&2
    exit 1
fi

if [ -r bins.conf ]; then
    while IFS='=' read -r key value; do
        case $key in
            width) width=$value ;;
            keep) keep=$value ;;
        esac
    done < bins.conf
fi

# id time depth magnitude author, by magnitude, largest first
selected() {
    grep -v '^#' "$list" |
        cut -d'|' -f1,2,5-7 |
        awk -F'|' -v keep="$keep" '$4 >= keep { print $4, $2, $1, $3, $5 }' |
        sort -k1,1nr -k3,3n
}

# the largest of each month: the list is in the order of the magnitude
largest() {
    awk '{ m = substr($2, 1, 7) } !(m in seen) { seen[m] = 1; print m, $3, $1, $4 }' selected.txt | sort
}

bins() {
    awk -v w="$width" '{ n[int($1 / w + 1e-9)]++ } END { for (b in n) print b * w, n[b] }' selected.txt |
        sort -n | awk '{ total += $2; printf "%4.1f %8d %8d\n", $1, $2, total }'
}

authors() {
    cut -d' ' -f5 selected.txt | sort | uniq -c | awk '{ print $2, $1 }'
}

depths() {
    awk '{ s += $4; if ($4 > d) d = $4 } END { printf "mean depth %.3f deepest %.1f\n", s / NR, d }' selected.txt
}

selected > selected.txt

{
    echo "# largest of the month"
    largest
    echo "# bins"
    bins
    echo "# authors"
    authors
    depths
} > report.txt

cat report.txt
echo "selected $(wc -l < selected.txt)"
