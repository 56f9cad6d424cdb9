#!/bin/sh
# Compares what diya reads with what PyDarshan reads, value by value.
#
# PyDarshan and its like live in a virtual environment beside the build, made
# again when tests/peers/requirements.txt changes.
set -eu
cd "$(dirname "$0")/.."

target=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
venv=$target/peers-venv
if ! cmp -s tests/peers/requirements.txt "$venv/installed.txt"; then
    echo "peers: installing tests/peers/requirements.txt into $venv"
    rm -rf "$venv"
    python3 -m venv "$venv"
    # Wheels only: building NumPy from source would take longer than the tests.
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
        -r tests/peers/requirements.txt
    cp tests/peers/requirements.txt "$venv/installed.txt"
fi
"$venv/bin/python" tests/peers/pydarshan_equal.py --diya "$target/release/diya" "$@"
