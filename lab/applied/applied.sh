#!/bin/sh
# What `diya run --apply` alone reaches on programs that nobody tuned on, and whether it changes
# a result: writes lab/applied/applied.md. About 50 minutes; on an idle machine.
#
#   lab/applied/applied.sh                 rounds 9 to 11, and faults of other rounds that settings can mend
#   lab/applied/applied.sh --mendable      only the programs with such faults (10 minutes)
#   lab/applied/applied.sh --only NAME...  only these programs; the others stay as measured
#
# DIYA names the program: by default the optimised build. Needs what
# `scripts/setup.sh build python capture` installs.
set -eu
cd "$(dirname "$0")/../.."

target=$(scripts/target-dir.sh)
python=$(scripts/python-env.sh lab/rounds/requirements.txt rounds-env)/python
exec "$python" lab/applied/applied.py --diya "${DIYA:-$target/release/diya}" --work "$target/applied" "$@"
