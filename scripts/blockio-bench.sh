#!/bin/sh
# blockio beside MPI-IO, HDF5, PnetCDF and ADIOS2 (from PyPI), and the stages of Code P: a memory file system,
# a disk and, as root, GlusterFS over loopback (scripts/network-fs.sh).
set -eu
cd "$(dirname "$0")/.."
out=$(scripts/target-dir.sh)/blockio
make --silent -C blockio OUT="$out"
if python=$(scripts/python-env.sh blockio/bench/requirements.txt blockio-env); then
    ADIOS2=$("$python/python" -c 'import os, adios2; print(os.path.dirname(adios2.__file__))')
    export ADIOS2
else
    echo "without ADIOS2: its wheel cannot be installed here"
fi
blockio/bench/run.sh "$out"
if [ "$(id -u)" = 0 ] && command -v glusterd >/dev/null; then
    export out
    # Open MPI does not start without a network interface, and there is only loopback.
    scripts/network-fs.sh env MPIS=mpich sh -c 'blockio/bench/run.sh "$out" "$DIYA_NETWORK_DIR"'
    # The stages of Code P where each request goes over the network: the kernel keeps no pages.
    mpicc.mpich -std=c11 -D_GNU_SOURCE -DBLOCKIO_WITH_MPI -DSIDE=48 -O2 -Iblockio/include -o "$out/codep_direct" \
        blockio/bench/codep.c "$out/libblockio_mpich.a"
    DIYA_NETWORK_DIRECT=1 timeout 1800 scripts/network-fs.sh \
        sh -c 'mpirun.mpich -n "$(nproc)" "$out/codep_direct" "$DIYA_NETWORK_DIR"'
else
    echo "skipped: the network file system needs root and Debian's glusterfs-server and glusterfs-client"
fi
