#!/bin/sh
# Builds diya for daily work, demo and tests, and says how long that takes here.
# Its page first: diya carries it. The quick profile (docs/decisions/0014); `make install` builds the fast one.
set -eu
cd "$(dirname "$0")/.."
scripts/page.sh if-node
scripts/with-rust.sh cargo xtask build --workspace --bin diya
