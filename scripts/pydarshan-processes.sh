#!/bin/sh
# Jobs and reports in forks, pools and threads, in several versions of CPython:
#
#   scripts/pydarshan-processes.sh [PYTHON...]
#
# The default: Debian's 3.9, 3.11, 3.13 and 3.14, unpacked beside the build (scripts/pythons.sh),
# and what pyenv has. WHEEL names the wheel under test: by default the quick build.
set -eu
cd "$(dirname "$0")/.."
target=$(scripts/target-dir.sh)
wheel=${WHEEL:-$(scripts/wheel.sh dev)}
pip=$(scripts/python-env.sh scripts/wheel-requirements.txt wheel-env)/pip
if [ $# -eq 0 ]; then
    scripts/pythons.sh "$target/pythons-with-tests" 9 11 13 14 >&2
    set -- "$target"/pythons-with-tests/python3.*
    for python in "$(pyenv root 2>/dev/null)"/versions/3.*/bin/python; do
        [ -x "$python" ] && set -- "$@" "$python"
    done
fi
status=0
for python; do
    minor=$("$python" -c 'import sys; print(sys.version_info.minor)') || continue
    [ "$minor" -ge 9 ] || continue
    packages=$target/processes/3.$minor
    rm -rf "$packages"
    # Packages of another version than pip's own.
    of_version() {
        "$pip" install --quiet --disable-pip-version-check --ignore-requires-python --only-binary :all: \
            --python-version "3.$minor" --target "$packages" --upgrade "$@"
    }
    of_version numpy
    of_version --no-deps --no-index "$wheel"
    # shellcheck disable=SC2046 # a list of names
    PYTHONPATH=$packages DIYA_PYTHON=$python "$python" tests/python/processes.py \
        $(find corpus/logs -name '*.darshan' | sort | head -n 4) || status=1
done
exit $status
