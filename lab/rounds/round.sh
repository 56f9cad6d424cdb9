#!/bin/sh
# Runs one round of programs that were not used for tuning, and scores diya's findings
# against the answers that were fixed before (lab/rounds/README.md).
#
#   lab/rounds/round.sh 1                        record, report, score
#   lab/rounds/round.sh 1 --keep first           ... and keep the score as the first try
#   lab/rounds/round.sh 1 --only NAME...         only these programs
#
# DIYA names the program that is judged: by default the quick build. Needs what
# `scripts/setup.sh build python capture` installs.
set -eu
cd "$(dirname "$0")/../.."

round=${1:?a round, such as 1}
shift
keep=
if [ "${1:-}" = --keep ]; then
    keep="--keep $2"
    shift 2
fi
target=$(scripts/target-dir.sh)
python=$(scripts/python-env.sh lab/rounds/requirements.txt rounds-env)/python
results=$target/rounds/$round
# Darshan records the same programs, where its source can be had.
darshan=$target/recording-peers
if scripts/darshan-peer.sh >&2 && scripts/darshan-peer.sh hdf5 serial >&2 &&
    scripts/darshan-peer.sh hdf5 mpich >&2; then
    set -- --darshan "$darshan" "$@"
else
    echo "round: no Darshan here: its side is judged from converted recordings" >&2
fi
status=0
"$python" lab/rounds/run.py "$round" --diya "${DIYA:-$target/debug/diya}" \
    --out "$results" "$@" || status=1
# shellcheck disable=SC2086 # an option and its value
"$python" lab/rounds/score.py "$round" --results "$results" $keep
exit $status
