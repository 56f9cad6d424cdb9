#!/bin/sh
# What mpi_collect and hdf5_alignment change, on one file system:
#
#   measure.sh LIBDIYA_APPLY DIR [RUNS]
#   scripts/network-fs.sh sh -c 'apply/tests/measure.sh LIBDIYA_APPLY $DIYA_NETWORK_DIR'
#
# Medians of RUNS (5) runs of MPICH, two ranks, each pair of runs one after the other.
set -eu
library=$(realpath "$1")
folder=$2
runs=${3:-5}
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
mpicc.mpich -O2 -o "$built/strided" "$here/mpi_program.c"
make --silent -C "$root/workloads" MPI=mpich OUT="$built/workloads" "$built/workloads/hdf5_alignment"

median() {
    sort -n "$1" | sed -n "$(((runs + 1) / 2))p"
}

with() {
    asked=$1
    shift
    if [ -n "$asked" ]; then
        mpirun.mpich -n 2 -genv LD_PRELOAD "$library" -genv DIYA_APPLY "$asked" "$@"
    else
        mpirun.mpich -n 2 "$@"
    fi
}

# compare NAME SETTINGS COMMAND: the command prints its seconds.
compare() {
    name=$1 settings=$2
    shift 2
    : >"$built/before"
    : >"$built/after"
    for _ in $(seq "$runs"); do
        "$@" "" >>"$built/before"
        "$@" "$settings" >>"$built/after"
    done
    before=$(median "$built/before") after=$(median "$built/after")
    awk -v n="$name" -v b="$before" -v a="$after" \
        'BEGIN { printf "%-15s without %.3f s, with %.3f s: %.2f times as fast\n", n, b, a, b / a }'
}

strided() {
    rm -f "$folder/strided"
    with "$1" "$built/strided" strided "$folder/strided" 4000
}

aligned() {
    rm -f "$folder/fields.h5"
    with "$1" "$built/workloads/hdf5_alignment" --dir "$folder" --variant before --scale 4 --answer "$built/answer"
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["io_s"])' "$built/answer"
}

compare mpi_collect mpi_collect=16777216 strided
compare hdf5_alignment hdf5_alignment=1048576 aligned
rm -f "$folder/strided" "$folder/fields.h5"
