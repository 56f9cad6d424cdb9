#!/bin/sh
# Prints the folder cargo builds in: the environment or a configuration may set it.
set -eu
cd "$(dirname "$0")/.."
cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/'
