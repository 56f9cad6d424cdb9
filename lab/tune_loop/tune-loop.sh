#!/bin/sh
# How near to the best settings `diya tune --loop 5` comes: runs it on programs of workloads/, then
# every combination of the settings that it could try, and writes lab/tune_loop/tune-loop.md. About 20
# minutes; on an idle machine.
#
#   lab/tune_loop/tune-loop.sh                 all programs
#   lab/tune_loop/tune-loop.sh --only NAME...  only these; the others stay as measured
#
# DIYA names the program: by default the optimised build.
set -eu
cd "$(dirname "$0")/../.."

target=$(scripts/target-dir.sh)
make --silent -C workloads MPI=mpich OUT="$target/loop/workloads" >/dev/null
exec python3 lab/tune_loop/tune_loop.py --diya "${DIYA:-$target/release/diya}" \
    --workloads "$target/loop/workloads" --work "$target/loop" "$@"
