#!/bin/sh
# Runs a command with a Rust that can build this workspace first on PATH:
#   scripts/with-rust.sh cargo xtask demo
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
if ! find_rust; then
    echo "diya: no Rust $(rust_floor) or newer found; run scripts/setup.sh first" >&2
    exit 1
fi
# What builds the page finds its Node.js likewise; the rest goes without.
. scripts/node.sh
find_node || true
exec "$@"
