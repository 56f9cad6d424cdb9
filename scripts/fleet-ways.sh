#!/bin/sh
# Reads one made-up fleet by one command, by a job array (simulated) and by Dask, and
# compares the datasets by hash.
set -eu
cd "$(dirname "$0")/.."

python=$(scripts/python-env.sh tests/fleet/requirements.txt fleet-env)/python
target=$(scripts/target-dir.sh)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
cargo xtask fleet-logs "$logs/logs" --jobs 60 --plant
"$python" tests/fleet/ways.py --diya "$target/debug/diya" --logs "$logs/logs"
