#!/usr/bin/env bash
# Validates predicted gains: runs every before/after pair of workloads/ on a
# memory file system, on the local disk, and on GlusterFS over loopback
# (scripts/network-fs.sh), and writes docs/lost-time-validation.md.
#
#   scripts/gains.sh              all of it, about 20 minutes
#   scripts/gains.sh --predict    only predict again, from the recordings kept
#
# NICE=-10 lets the programs go before the other work of a machine that is not idle.
set -eu
cd "$(dirname "$0")/.."

target=$(scripts/target-dir.sh)
export DIYA=$target/release/diya RECORDS=$target/gains ROUNDS=${ROUNDS:-3}
make --silent -C workloads MPI=mpich >/dev/null

# measure PLACE FOLDER
measure='nice -n ${NICE:-0} python3 tests/diagnosis/gains.py --diya "$DIYA" --records "$RECORDS" --rounds "$ROUNDS" --measure'
if [ "${1:-}" != --predict ]; then
    for place in memory=/dev/shm disk=/var/tmp; do
        folder=$(mktemp -d "${place#*=}/diya-gains.XXXXXX")
        sh -c "$measure ${place%%=*}=$folder"
        rm -rf "$folder"
    done
    scripts/network-fs.sh sh -c "$measure network=\$DIYA_NETWORK_DIR"
fi
python3 tests/diagnosis/gains.py --diya "$DIYA" --records "$RECORDS" --rounds "$ROUNDS" \
    --page docs/lost-time-validation.md
