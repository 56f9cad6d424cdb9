#!/bin/sh
# Tests of blockio: builds it with MPICH, Open MPI and without MPI beside the build.
set -eu
cd "$(dirname "$0")/.."
out=$(scripts/target-dir.sh)/blockio
make --silent -C blockio OUT="$out"
make --silent -C blockio OUT="$out" test
