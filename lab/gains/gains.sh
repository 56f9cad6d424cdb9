#!/usr/bin/env bash
# Validates predicted gains: runs every before/after pair of workloads/ on a
# memory file system, on the local disk, and on GlusterFS over loopback
# (scripts/network-fs.sh), and writes lab/gains/lost-time-validation.md.
#
#   lab/gains/gains.sh                       all of it, about 20 minutes
#   lab/gains/gains.sh --predict             only predict again, from the recordings kept
#   lab/gains/gains.sh PLACE... [-- NAME...] only memory, disk or network, only these
#                                          workloads; what was measured before is kept
#
# ROUNDS=5 runs each program so often (3 by default; short ones up to 7 times).
# NICE=-10 lets the programs go before the other work of a machine that is not idle.
set -eu
cd "$(dirname "$0")/../.."

target=$(scripts/target-dir.sh)
export DIYA=$target/release/diya RECORDS=$target/gains ROUNDS=${ROUNDS:-3}
make --silent -C workloads MPI=mpich >/dev/null

# measure PLACE FOLDER
places=
is_wanted() { case " ${places:-memory disk network } " in *" $1 "*) ;; *) return 1 ;; esac; }
if [ "${1:-}" != --predict ]; then
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        case $1 in
        memory | disk | network) places="$places$1 " ;;
        *) echo "gains: no place $1: memory, disk or network" >&2 && exit 1 ;;
        esac
        shift
    done
    [ $# -eq 0 ] || shift
fi
export ONLY=
[ "${1:-}" = --predict ] || [ $# -eq 0 ] || ONLY="--only $*"
measure='nice -n ${NICE:-0} python3 lab/gains/gains.py --diya "$DIYA" --records "$RECORDS" --rounds "$ROUNDS" $ONLY --measure'
if [ "${1:-}" != --predict ]; then
    for place in memory=/dev/shm disk=/var/tmp; do
        is_wanted "${place%%=*}" || continue
        folder=$(mktemp -d "${place#*=}/diya-gains.XXXXXX")
        sh -c "$measure ${place%%=*}=$folder"
        rm -rf "$folder"
    done
    ! is_wanted network || scripts/network-fs.sh sh -c "$measure network=\$DIYA_NETWORK_DIR"
fi
python3 lab/gains/gains.py --diya "$DIYA" --records "$RECORDS" --rounds "$ROUNDS" \
    --page lab/gains/lost-time-validation.md
