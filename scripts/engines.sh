#!/usr/bin/env bash
# Runs every check and every metric on a second SQL engine, DuckDB, and compares
# the rows: over the corpus, over logs of odd variants, and over the cases that
# the checks carry. Logs may be named to run over these as well.
set -eu
cd "$(dirname "$0")/.."

python=$(scripts/python-env.sh tests/diagnosis/requirements.txt diagnosis-env)/python
"$python" -m unittest discover --quiet tests/diagnosis

cargo build --workspace --example engine_tables
odd=$(mktemp -d)
trap 'rm -rf "$odd"' EXIT
PYTHONPATH=tests/peers "$python" -c "
import pathlib, sys, crafted_logs
crafted_logs.write_all(pathlib.Path(sys.argv[1]))" "$odd"
"$python" tests/diagnosis/engines_equal.py \
    --export "$(scripts/target-dir.sh)/debug/examples/engine_tables" \
    corpus/logs/* "$odd"/* "$@"
