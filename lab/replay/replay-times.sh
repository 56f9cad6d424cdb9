#!/usr/bin/env bash
# Records programs of workloads/ and replays them at once on the same file system: calls, bytes,
# and times beside the recording (lab/replay/times.py).
set -eu
cd "$(dirname "$0")/../.."

target=$(scripts/target-dir.sh)
make --silent -C workloads MPI=mpich OUT="$target/replay/workloads" >/dev/null
python3 lab/replay/times.py --diya "$target/debug/diya" \
    --workloads "$target/replay/workloads" "$@"
