#!/bin/sh
# blockio beside MPI-IO, HDF5 and PnetCDF, and the stages of Code P: a memory file system,
# a disk and, as root, GlusterFS over loopback (scripts/network-fs.sh).
set -eu
cd "$(dirname "$0")/.."
out=$(scripts/target-dir.sh)/blockio
make --silent -C blockio OUT="$out"
blockio/bench/run.sh "$out"
if [ "$(id -u)" = 0 ] && command -v glusterd >/dev/null; then
    export out
    # Open MPI does not start without a network interface, and there is only loopback.
    scripts/network-fs.sh env MPIS=mpich sh -c 'blockio/bench/run.sh "$out" "$DIYA_NETWORK_DIR"'
else
    echo "skipped: the network file system needs root and Debian's glusterfs-server and glusterfs-client"
fi
