#!/bin/sh
# blockio beside MPI-IO, HDF5, PnetCDF and ADIOS2 (from PyPI), and the stages of Code P: on a memory file system, a
# disk and, as root, GlusterFS over loopback (scripts/network-fs.sh). Writes lab/costs/blockio-beside-others.md. At
# most 10 minutes, on an idle machine.
#
#   scripts/blockio-bench.sh [PAGE]      EACH=8: seconds for each kind of blocks
set -eu
cd "$(dirname "$0")/.."
page=${1:-docs/blockio-beside-others.md}
out=$(scripts/target-dir.sh)/blockio
times=$out/times.tsv
make --silent -C blockio OUT="$out"
if python=$(scripts/python-env.sh blockio/bench/requirements.txt blockio-env); then
    ADIOS2=$("$python/python" -c 'import os, adios2; print(os.path.dirname(adios2.__file__))')
    export ADIOS2
else
    echo "without ADIOS2: its wheel cannot be installed here"
fi
: >"$times"
load() { cut -d' ' -f1 /proc/loadavg; }
BENCH_BEFORE=$(load)
blockio/bench/run.sh "$out" "$times"
if [ "$(id -u)" = 0 ] && command -v glusterd >/dev/null; then
    export out times
    # Open MPI does not start without a network interface, and there is only loopback.
    scripts/network-fs.sh env MPIS=mpich sh -c 'blockio/bench/run.sh "$out" "$times" "$DIYA_NETWORK_DIR"'
    # Where each request goes over the network, the kernel keeps no pages: fewer elements.
    mpicc.mpich -std=c11 -D_GNU_SOURCE -DBLOCKIO_WITH_MPI -DSIDE=32 -O2 -Iblockio/include -o "$out/codep_direct" \
        blockio/bench/codep.c "$out/libblockio_mpich.a"
    DIYA_NETWORK_DIRECT=1 scripts/network-fs.sh sh -c \
        'mpirun.mpich -n "$(nproc)" "$out/codep_direct" "$DIYA_NETWORK_DIR" |
            sed "s/^/GlusterFS without caches\tmpich\t/" >>"$times"'
else
    echo "skipped: the network file system needs root and Debian's glusterfs-server and glusterfs-client"
fi
BENCH_AFTER=$(load) BENCH_CORES=$(nproc) BENCH_RANKS=${RANKS:-$(nproc)}
export BENCH_BEFORE BENCH_AFTER BENCH_CORES BENCH_RANKS
python3 blockio/bench/table.py "$times" "$page"
