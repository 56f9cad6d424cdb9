#!/usr/bin/env bash
# Compares what diya reads with what PyDarshan reads, value by value, and the
# numbers of its job summary with the metric tables; holds SARIF reports against
# their official schema. Logs may be named; without any, those of corpus/ and of
# DIYA_SHARED are compared (the summary and SARIF: those of corpus/).
set -eu
cd "$(dirname "$0")/.."

python=$(scripts/python-env.sh)/python
diya=$(scripts/target-dir.sh)/debug/diya
# A log that leads PyDarshan astray must not take the machine's memory with it.
ulimit -v 12000000
"$python" -m unittest discover --quiet tests/peers
"$python" tests/peers/pydarshan_equal.py --diya "$diya" "$@"
"$python" tests/peers/convert_equal.py --diya "$diya" "$@"
if [ $# -eq 0 ]; then set -- corpus/logs/*.darshan; fi
"$python" tests/peers/job_summary.py --diya "$diya" "$@"
"$python" tests/peers/sarif_valid.py --diya "$diya" --schema "$(scripts/sarif-schema.sh)" "$@"
