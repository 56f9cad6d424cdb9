#!/bin/sh
# Makes sure that the Python packages of some tests are there, and prints the
# folder that holds their python.
#
#   scripts/python-env.sh [REQUIREMENTS NAME]
#
# They live in a virtual environment beside the build, made again when the
# requirements (those of tests/peers unless told) change.
set -eu
cd "$(dirname "$0")/.."

requirements=${1:-tests/peers/requirements.txt}
venv=$(scripts/target-dir.sh)/${2:-python-env}
if ! cmp -s "$requirements" "$venv/installed.txt"; then
    echo "installing $requirements into $venv" >&2
    rm -rf "$venv"
    python3 -m venv "$venv"
    # Wheels only: building NumPy from source would take longer than the tests.
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
        -r "$requirements" >&2
    cp "$requirements" "$venv/installed.txt"
fi
echo "$venv/bin"
