#!/bin/sh
# What must hold before a test is worth running; the fast rules first.
set -eu
cd "$(dirname "$0")/.."

cargo fmt --all --check
cargo xtask generate --check
cargo xtask wasm --check
cargo xtask tidy
scripts/style.sh
scripts/subjects.sh
python3 scripts/licences.py
cargo clippy --locked --workspace --all-targets -- -D warnings
