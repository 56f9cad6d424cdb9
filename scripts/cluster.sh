#!/bin/sh
# Builds diya-cluster, the program of `diya fleet cluster`, and puts it where diya finds it.
#
#   scripts/cluster.sh            the quick build, beside the quick build of diya: for tests
#   scripts/cluster.sh install    the optimised one, into $PREFIX/bin (default: $HOME/.local)
#
# It has another engine (Ballista, and DataFusion with all its features), so it has a
# workspace and a folder of its own: docs/decisions/0055.
set -eu
cd "$(dirname "$0")/.."

target=$(scripts/target-dir.sh)
build() {
    cargo build --locked --manifest-path fleet/cluster/Cargo.toml --target-dir "$target/cluster" "$@"
}
case ${1:-} in
install)
    build --release
    bin=${PREFIX:-$HOME/.local}/bin
    mkdir -p "$bin"
    install -m 755 "$target/cluster/release/diya-cluster" "$bin/diya-cluster"
    echo "installed $bin/diya-cluster"
    ;;
*)
    build
    mkdir -p "$target/debug"
    ln -f "$target/cluster/debug/diya-cluster" "$target/debug/diya-cluster"
    ;;
esac
