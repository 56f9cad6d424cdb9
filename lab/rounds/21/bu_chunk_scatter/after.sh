#!/usr/bin/env bash
# scatter.sh READS.fq
# Scatter/gather over a FASTQ file: split into chunks of whole records, run the
# trimming step on two chunks at a time, gather the statistics.
set -euo pipefail
export LC_ALL=C

reads=${1:?usage: scatter.sh READS.fq}
slots=2
chunk_reads=10000
work=work.scatter

rm -rf "$work"
mkdir -p "$work"
split -l $((4 * chunk_reads)) -a 3 -d "$reads" "$work/chunk."

# trim one chunk from the 3' end at the first base below Q12
trim_chunk() {
    local chunk=$1
    awk '
        BEGIN { low = "!\"#$%&()*+,"; }
        NR % 4 == 1 { name = $0 }
        NR % 4 == 2 { seq = $0 }
        NR % 4 == 0 {
            keep = 0
            for (i = 1; i <= length($0); i++) {
                if (index(low, substr($0, i, 1))) { if (++bad > 12) break } else keep = i
            }
            bad = 0
            bases += keep
            if (keep < 20) short++
            print name "\n" substr(seq, 1, keep) "\n+\n" substr($0, 1, keep) > (FILENAME ".trim")
        }
        END { print NR / 4, bases, short + 0 > (FILENAME ".stat") }
    ' "$chunk"
}


chunks=("$work"/chunk.[0-9][0-9][0-9])
for ((i = 0; i < ${#chunks[@]}; i += slots)); do
    batch=("${chunks[@]:i:slots}")
    for c in "${batch[@]}"; do
        trim_chunk "$c" &
    done
    wait
done

cat "$work"/*.stat | awk '{ r += $1; b += $2; s += $3 }
    END { printf "reads %d bases kept %d short %d\n", r, b, s }'
cat "$work"/*.trim | cksum
