#!/bin/sh
# Every test: what the corpus reads as, the comparison with PyDarshan, that of the
# SQL engines, cargo's, those of the page, then the recorder on real programs and the
# checks on planted faults.
#
# `--release --workspace` throughout: the one profile and the one set of
# features that everything is built with (docs/decisions/0003).
set -eu
cd "$(dirname "$0")/.."

cargo build --release --workspace --bin diya
cargo xtask corpus-diff
scripts/peers.sh
scripts/engines.sh
cargo test --release --workspace
scripts/web-tests.sh
scripts/web-app-tests.sh if-built
scripts/capture-tests.sh
scripts/confusion.sh
