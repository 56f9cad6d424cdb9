#!/bin/sh
# Settings of MPI-IO under MPICH and Open MPI:  mpi.sh LIBDIYA_APPLY [TEST...]
set -eu
DIYA_APPLY_LIBRARY=$(realpath "$1")
export DIYA_APPLY_LIBRARY
shift
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- test_mpi test_mpi_python
exec python3 -B -m unittest "$@"
