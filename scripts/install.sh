#!/bin/sh
# Builds diya and copies it to $PREFIX/bin ($HOME/.local unless told).
set -eu
cd "$(dirname "$0")/.."

bin=${PREFIX:-$HOME/.local}/bin
cargo build --release --workspace --bin diya
target=$(scripts/target-dir.sh)
mkdir -p "$bin"
install -m 755 "$target/release/diya" "$bin/diya"
echo "installed $bin/diya"
case ":$PATH:" in
*":$bin:"*) ;;
*) echo "$bin is not on your PATH; add it: export PATH=$bin:\$PATH" ;;
esac
