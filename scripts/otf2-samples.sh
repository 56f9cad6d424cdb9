#!/bin/sh
# Writes corpus/traces/otf2_*.tar again with the Python package otf2, and what its own reader
# finds in them.
#
#   scripts/otf2-samples.sh
#
# The package has wheels for Python 3.11 only.
set -eu
cd "$(dirname "$0")/.."
python=$(scripts/python-env.sh tests/peers/otf2-requirements.txt otf2-env)/python
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" tests/peers/otf2_samples.py corpus/traces
mkdir -p corpus/otf2-reader
for archive in corpus/traces/otf2_*.tar; do
    name=$(basename "$archive" .tar)
    tar -C "$scratch" -xf "$archive"
    "$python" tests/peers/otf2_text.py "$scratch/$name/traces.otf2" >"corpus/otf2-reader/$name.txt"
done
