#!/bin/sh
# Reads one made-up fleet by one command, by a job array (simulated) and by Dask, and
# compares the datasets by hash; kills workers at random moments; asks all questions by a
# cluster of two workers, and compares the rows by hash.
#
#   scripts/fleet-ways.sh            the cluster only in CI, or where scripts/cluster.sh built it
#   scripts/fleet-ways.sh cluster    builds it
set -eu
cd "$(dirname "$0")/.."

python=$(scripts/python-env.sh tests/fleet/requirements.txt fleet-env)/python
target=$(scripts/target-dir.sh)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
cargo xtask fleet-logs "$logs/logs" --jobs 60 --plant
"$python" tests/fleet/ways.py --diya "$target/debug/diya" --logs "$logs/logs"
"$python" tests/fleet/kills.py --diya "$target/debug/diya" --logs "$logs/logs" --count 5
"$python" tests/fleet/bad_tree.py --diya "$target/debug/diya" --files 2000
if [ "${CI:-}" = true ] || [ "${1:-}" = cluster ]; then
    scripts/cluster.sh
    cargo test --locked --manifest-path fleet/cluster/Cargo.toml --target-dir "$target/cluster"
fi
if [ -x "$target/debug/diya-cluster" ]; then
    "$python" tests/fleet/cluster.py --diya "$target/debug/diya" --logs "$logs/logs"
    "$python" tests/fleet/cluster.py --diya "$target/debug/diya" --logs "$logs/logs" --slurm --kills 0
else
    echo "fleet ways: SQL by a cluster is not tested; \`scripts/fleet-ways.sh cluster\` builds it (minutes)"
fi
