#!/bin/sh
# Prints the folder cargo builds in: the environment or a configuration may set it.
set -eu
cd "$(dirname "$0")/.."
# Before set-up there is no cargo, and nothing was built.
if ! command -v cargo >/dev/null 2>&1; then
    echo "${CARGO_TARGET_DIR:-$PWD/target}"
    exit 0
fi
cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/'
