#!/bin/sh
# Makes sure that the Python packages of some tests are there, and prints the
# folder that holds their python.
#
#   scripts/python-env.sh [REQUIREMENTS NAME]
#
# They live in a virtual environment beside the build, made again when the
# requirements (by default those of tests/peers) change.
set -eu
cd "$(dirname "$0")/.."

requirements=${1:-tests/peers/requirements.txt}
venv=$(scripts/target-dir.sh)/${2:-python-env}
if ! cmp -s "$requirements" "$venv/installed.txt"; then
    echo "installing $requirements into $venv" >&2
    rm -rf "$venv"
    python3 -m venv "$venv"
    # Wheels only: building NumPy from source would take longer than the tests.
    install() {
        "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" >&2
    }
    # PyDarshan 3.5 has wheels up to Python 3.12. The last one runs on newer ones, too: it
    # is Python that loads a C library. Its own dependencies have to be named then.
    peer=$(grep '^darshan==' "$requirements" || true)
    minor=$("$venv/bin/python" -c 'import sys; print(sys.version_info.minor)')
    if [ -n "$peer" ] && [ "$minor" -gt 12 ]; then
        grep -v '^darshan==' "$requirements" >"$venv/others.txt"
        install -r "$venv/others.txt" matplotlib seaborn mako humanize rich
        site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
        install --no-deps --python-version 3.12 --target "$site" "$peer"
    else
        install -r "$requirements"
    fi
    cp "$requirements" "$venv/installed.txt"
fi
echo "$venv/bin"
