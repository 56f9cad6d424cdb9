#!/bin/sh
# What recording costs, beside no recording and Darshan 3.5: writes lab/costs/recording-cost.md.
#
#   scripts/recording-bench.sh [--rounds N] [--directory DIR]
#
# Darshan and IOR are in no registry of packages: they are built from their sources, which
# git brings. DARSHAN_SOURCE (scripts/darshan-peer.sh) and IOR_SOURCE name other clones, for
# machines without a way to GitHub. DIYA names the program: by default the fast build. Run by hand.
set -eu
cd "$(dirname "$0")/.."
say() { echo "recording-bench: $*" >&2; }
. scripts/packages.sh

ior_version=4.0.0
# shellcheck disable=SC2046 # a list of names
missing=$(lacking autoconf automake libtool pkg-config zlib1g-dev mpich libmpich-dev fio)
if [ -n "$missing" ] && may_install; then
    # shellcheck disable=SC2086
    install_packages $missing
elif [ -n "$missing" ]; then
    say "not installed, and only root may install them: $(echo "$missing" | paste -sd ' ' -)"
    exit 1
fi
darshan=$(scripts/darshan-peer.sh)
target=$(scripts/target-dir.sh)
peers=$target/recording-peers
mkdir -p "$peers"

if [ ! -e "$peers/ior/version" ]; then
    rm -rf "${peers:?}/ior-source"
    say "building IOR $ior_version"
    git clone --quiet --depth 1 --branch "$ior_version" "${IOR_SOURCE:-https://github.com/hpc/ior}" \
        "$peers/ior-source" 2>"$peers/ior.log" ||
        {
            say "no source of IOR: $(tail -n 1 "$peers/ior.log")"
            exit 1
        }
    (
        cd "$peers/ior-source"
        ./bootstrap
        ./configure --prefix="$peers/ior" MPICC=mpicc.mpich
        make install
    ) >"$peers/ior.log" 2>&1 || {
        tail -n 20 "$peers/ior.log" >&2
        exit 1
    }
    rm -rf "${peers:?}/ior-source"
    echo "IOR $ior_version" >"$peers/ior/version"
fi
if [ -n "${DIYA:-}" ]; then
    profile="hand (DIYA)"
else
    cargo build --release --workspace --bins
    DIYA=$target/release/diya
    profile="cargo build --release"
fi
exec python3 benches/recording.py --diya "$DIYA" --profile "${DIYA_PROFILE:-$profile}" \
    --darshan "$darshan" --ior "$peers/ior" --page lab/costs/recording-cost.md "$@"
