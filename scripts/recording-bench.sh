#!/bin/sh
# What recording costs, beside no recording and Darshan 3.5: writes docs/recording-cost.md.
#
#   scripts/recording-bench.sh [--rounds N] [--directory DIR]
#
# Darshan and IOR are in no registry of packages: they are built from their sources, which
# git brings. DARSHAN_SOURCE and IOR_SOURCE name other clones, for machines without a way
# to GitHub. DIYA names the program: by default the fast build. Run by hand.
set -eu
cd "$(dirname "$0")/.."
say() { echo "recording-bench: $*" >&2; }
. scripts/packages.sh

darshan_version=3.5.0
ior_version=4.0.0
# shellcheck disable=SC2046 # a list of names
missing=$(lacking autoconf automake libtool pkg-config zlib1g-dev mpich libmpich-dev fio)
if [ -n "$missing" ] && may_install; then
    # shellcheck disable=SC2086
    install_packages $missing
elif [ -n "$missing" ]; then
    say "not installed, and only root may install them:" $missing
    exit 1
fi
target=$(scripts/target-dir.sh)
peers=$target/recording-peers
mkdir -p "$peers"

# source NAME CLONE TAG: a clean tree below $peers, unless it is built already.
source_of() {
    [ ! -e "$peers/$1/version" ] || return 1
    rm -rf "${peers:?}/$1-source"
    say "building $1 $3"
    git clone --quiet --depth 1 --branch "$3" "$2" "$peers/$1-source" 2>"$peers/$1.log" ||
        { say "no source of $1: $(tail -n 1 "$peers/$1.log")"; exit 1; }
}

built() { # built NAME VERSION
    rm -rf "${peers:?}/$1-source"
    echo "$2" >"$peers/$1/version"
}

if source_of darshan "${DARSHAN_SOURCE:-https://github.com/darshan-hpc/darshan}" "$darshan_version"; then
    (
        cd "$peers/darshan-source"
        ./prepare.sh
        cd darshan-runtime
        ./configure --prefix="$peers/darshan" --with-log-path-by-env=DARSHAN_LOG_DIR_PATH \
            --with-jobid-env=NONE CC=mpicc.mpich
        make install
    ) >"$peers/darshan.log" 2>&1 || { tail -n 20 "$peers/darshan.log" >&2; exit 1; }
    built darshan "$darshan_version"
fi
if source_of ior "${IOR_SOURCE:-https://github.com/hpc/ior}" "$ior_version"; then
    (
        cd "$peers/ior-source"
        ./bootstrap
        ./configure --prefix="$peers/ior" MPICC=mpicc.mpich
        make install
    ) >"$peers/ior.log" 2>&1 || { tail -n 20 "$peers/ior.log" >&2; exit 1; }
    built ior "IOR $ior_version"
fi
if [ -n "${DIYA:-}" ]; then
    profile="hand (DIYA)"
else
    cargo build --release --workspace --bins
    DIYA=$target/release/diya
    profile="cargo build --release"
fi
exec python3 benches/recording.py --diya "$DIYA" --profile "${DIYA_PROFILE:-$profile}" \
    --darshan "$peers/darshan" --ior "$peers/ior" --page docs/recording-cost.md "$@"
