#!/bin/sh
# Every test: what the corpus reads as, the comparison with PyDarshan, that of the
# SQL engines, cargo's, those of the Python package and of the page, then the recorder
# on real programs, blockio, and the checks on planted faults.
#
# `--workspace` throughout: one set of features for all that is built
# (docs/decisions/0003), with cargo's own profile, the quick one (0014).
set -eu
cd "$(dirname "$0")/.."

cargo build --workspace --bin diya
cargo xtask corpus-diff
scripts/peers.sh
scripts/engines.sh
scripts/fleet-ways.sh
cargo test --workspace
# Optimised code is another program: what walks over bytes and calls is tested as
# people run it, too.
cargo test --release -p diya-read -p diya-timeline -p diya-write
scripts/python-tests.sh
scripts/web-tests.sh
scripts/web-app-tests.sh if-built
scripts/capture-tests.sh
scripts/blockio-tests.sh
scripts/confusion.sh
