#!/bin/sh
# How well `diya replay --transform` foretells what mended programs save: writes
# lab/replay/replay-transforms.md. About 40 minutes; on an idle machine.
#
#   lab/replay/replay-transforms.sh                 programs of workloads/ and of rounds 9 to 16
#   lab/replay/replay-transforms.sh --only NAME...  only these; the others stay as measured
#   lab/replay/replay-transforms.sh --held-out      programs of rounds 1 to 8, for their first try
#
# DIYA names the program: by default the optimised build. Needs what
# `scripts/setup.sh build python capture` installs.
set -eu
cd "$(dirname "$0")/../.."

target=$(scripts/target-dir.sh)
python=$(scripts/python-env.sh lab/rounds/requirements.txt rounds-env)/python
make --silent -C workloads MPI=mpich OUT="$target/replay/workloads" >/dev/null
exec "$python" lab/replay/transforms.py --diya "${DIYA:-$target/release/diya}" --python "$python" \
    --workloads "$target/replay/workloads" --work "$target/replay/transforms" "$@"
