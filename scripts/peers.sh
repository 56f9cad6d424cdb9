#!/usr/bin/env bash
# Compares what diya reads with what PyDarshan reads, value by value. Logs may
# be named; without any, those of corpus/ and of DIYA_SHARED are compared.
set -eu
cd "$(dirname "$0")/.."

python=$(scripts/python-env.sh)/python
diya=$(scripts/target-dir.sh)/release/diya
# A log that leads PyDarshan astray must not take the machine's memory with it.
ulimit -v 12000000
"$python" -m unittest discover --quiet tests/peers
"$python" tests/peers/pydarshan_equal.py --diya "$diya" "$@"
"$python" tests/peers/convert_equal.py --diya "$diya" "$@"
