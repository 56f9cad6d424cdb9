#!/bin/sh
# Records corpus/traces/recorder_*.tar again, and what Recorder itself prints of them.
#
#   scripts/recorder-samples.sh BUILDS
#
# BUILDS holds a folder for each version of Recorder, built with MPICH: 2.2 (tag v2.2.1),
# 2.3 (v2.3.3), 2.4 (v2.4.0), 2.5 (branch pilgrim) and 3.0 (branch analysis of
# github.com/hammad45/Recorder), each with lib/librecorder.so and bin/recorder2text.
# Version 2.2 has no file for cmake:
#   mpicc -shared -fPIC -fgnu89-inline -fcommon -D_LARGEFILE64_SOURCE -DRECORDER_PRELOAD \
#       -Iinclude lib/recorder-*.c -o lib/librecorder.so -lpthread -lhdf5 -ldl -lm
set -eu
[ $# -eq 1 ] || {
    echo "usage: scripts/recorder-samples.sh BUILDS" >&2
    exit 2
}
builds=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
corpus=$PWD/corpus
# Traces hold this path: the same on every machine.
scratch=/scratch/demo
mkdir -p $scratch
for program in nest single; do
    mpicc.mpich -O1 -o $scratch/$program "$corpus/traces/recorder_$program.c"
done

# record NAME VERSION RANKS PROGRAM [OPTION OF mpirun ...]
record() {
    name=$1 version=$2 ranks=$3 program=$4
    shift 4
    rm -rf $scratch/work $scratch/out
    mkdir -p $scratch/work $scratch/out
    (cd "$scratch/work" && mpirun.mpich -n "$ranks" "$@" -genv RECORDER_TRACES_DIR "$scratch/out" \
        -genv LD_PRELOAD "$builds/$version/lib/librecorder.so" ../"$program")
    trace=$(dirname "$(find "$scratch/out" -name VERSION)")
    mv "$trace" "$scratch/out/trace"
    tar -C "$scratch/out" --owner=0 --group=0 --sort=name --format=ustar -b 2 \
        -cf "$corpus/traces/recorder_$name.tar" trace
    mpirun.mpich -n 1 "$builds/$version/bin/recorder2text" "$scratch/out/trace" >/dev/null
    for text in "$scratch"/out/trace/_text/*.txt; do
        awk -v rank="$(basename "$text" .txt)" \
            '{ $1 = ""; $2 = ""; sub(/^ +/, ""); print rank, $0 }' "$text" |
            sort | uniq -c | sed 's/^ *//'
    done >"$corpus/recorder2text/recorder_$name.txt"
}

for version in 2.2 2.3 2.4 2.5 3.0; do
    record nest_$version $version 2 nest
done
record nest_2.5_merged 2.5 2 nest -genv RECORDER_INTERPROCESS_COMPRESSION 1 -genv RECORDER_LOG_TID 1
for version in 2.2 2.5 3.0; do
    record single_$version $version 1 single
done
