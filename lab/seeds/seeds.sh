#!/bin/sh
# Walks the cases that diya was begun for, from the diagnosis to the proof, and writes
# lab/seeds/seeds.md; comparison pages go to target/seeds. About 5 minutes; on an idle machine.
#
#   lab/seeds/seeds.sh [--only NAME...]
#   scripts/network-fs.sh lab/seeds/seeds.sh --name network      the same on GlusterFS
#
# DIYA names the program: by default the optimised build. Needs what `scripts/setup.sh build mpi`
# and `capture` install.
set -eu
cd "$(dirname "$0")/../.."

target=$(scripts/target-dir.sh)
diya=${DIYA:-$target/release/diya}
make --silent -C workloads MPI=mpich OUT="$target/seeds/programs"
place=${DIYA_NETWORK_DIR:-/var/tmp}
# A network file system may take too long to measure: the report then has no machine.
machine=$target/seeds/machine.toml
timeout 120 "$diya" calibrate -q "$place" -o "$machine" || machine=
exec python3 lab/seeds/seeds.py --diya "$diya" --bin "$target/seeds/programs" --work "$target/seeds" \
    ${machine:+--machine "$machine"} --place "$place" "$@"
