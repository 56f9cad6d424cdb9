#!/bin/sh
# The layers above the C library, recorded under real libraries.
#
#   capture/tests/layers/run.sh [TEST...]
#
# Needs what scripts/setup.sh installs for it: both MPIs with compilers for C
# and Fortran, parallel and serial HDF5, PnetCDF, NetCDF.
set -eu
cd "$(dirname "$0")"
if [ $# -gt 0 ]; then
    exec python3 -B -m unittest "$@"
fi
exec python3 -B -m unittest discover -p 'test_*.py'
