#!/bin/sh
# Build the workloads for both MPIs, run every variant, check what they answer.
#
#   workloads/test.sh [DIR]     DIR: where programs and data go (default: temporary)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
place=${1:-$(mktemp -d)}
[ -n "${1:-}" ] || trap 'rm -rf "$place"' EXIT

python3 "$here/test_run.py"
for mpi in mpich openmpi; do
    if ! command -v "mpicc.$mpi" >/dev/null; then
        echo "workloads: skipped everything for $mpi: no mpicc.$mpi" >&2
        continue
    fi
    make -s -C "$here" MPI="$mpi" OUT="$place/$mpi"
    python3 "$here/run.py" --mpi "$mpi" --bin "$place/$mpi" --work "$place/$mpi.data"
done
