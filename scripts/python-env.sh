#!/bin/sh
# Makes sure that the Python packages of the tests are there, and prints the
# folder that holds their python.
#
# They live in a virtual environment beside the build, made again when
# tests/peers/requirements.txt changes.
set -eu
cd "$(dirname "$0")/.."

venv=$(scripts/target-dir.sh)/python-env
if ! cmp -s tests/peers/requirements.txt "$venv/installed.txt"; then
    echo "installing tests/peers/requirements.txt into $venv" >&2
    rm -rf "$venv"
    python3 -m venv "$venv"
    # Wheels only: building NumPy from source would take longer than the tests.
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
        -r tests/peers/requirements.txt >&2
    cp tests/peers/requirements.txt "$venv/installed.txt"
fi
echo "$venv/bin"
