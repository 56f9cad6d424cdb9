#!/bin/sh
# Settings of HDF5, serial, under MPICH and Open MPI, and in Python:  hdf5.sh LIBDIYA_APPLY [TEST...]
set -eu
DIYA_APPLY_LIBRARY=$(realpath "$1")
export DIYA_APPLY_LIBRARY
shift
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- test_hdf5
exec python3 -B -m unittest "$@"
