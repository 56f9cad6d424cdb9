#!/bin/sh
# Reports every public log, and writes lab/public/public-logs.md: which of them leave a reader
# without an answer, and why. Fails when a log with negligible I/O has a WARN or HIGH.
#
#   lab/public/public-logs.sh             all logs anew (two seconds each with the fast build)
#   lab/public/public-logs.sh --kept      the page only, from the reports of the last run
#
# DIYA_SHARED names the folder that holds logs/public (default ../shared), DIYA the
# program that is judged: by default the quick build.
set -eu
cd "$(dirname "$0")/../.."

again=--again
[ "${1:-}" != --kept ] || again=
target=$(scripts/target-dir.sh)
# shellcheck disable=SC2086 # an option or nothing
exec python3 lab/public/public_logs.py --diya "${DIYA:-$target/debug/diya}" \
    --logs "${DIYA_SHARED:-../shared}/logs/public" --out "$target/public-logs" $again
