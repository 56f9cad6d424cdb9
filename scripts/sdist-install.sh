#!/bin/sh
# Installs the source distribution of the Python package with pip into a fresh environment, as who
# has no wheel does, and opens a log with it. Builds the crates of diya again, because they lie elsewhere,
# and the SQL engine if the target folder has no build of it in this profile; so it is no part of
# scripts/python-tests.sh. Run by hand.
#
#   scripts/sdist-install.sh          built quickly: libraries come from other quick builds
#   scripts/sdist-install.sh release  optimised, as pip builds it
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
find_rust
profile=${1:-dev}
target=$(scripts/target-dir.sh)
tools=$(scripts/python-env.sh scripts/wheel-requirements.txt wheel-env)
work=$(mktemp -d "${TMPDIR:-/tmp}/diya-sdist.XXXXXX")
trap 'rm -rf "$work"' EXIT
scripts/page.sh >&2
"$tools/maturin" sdist --out "$work" >&2
python3 -m venv "$work/env"
CARGO_TARGET_DIR=$target MATURIN_PEP517_ARGS="--profile $profile" \
    "$work/env/bin/pip" install --quiet --disable-pip-version-check "$work"/*.tar.gz
log=$PWD/corpus/logs/fsync_many.darshan
# Elsewhere, so that the package is the installed one.
cd "$work"
"$work/env/bin/python" -c '
import sys, diya
findings = diya.open(sys.argv[1]).report().to_dict()["findings"]
assert diya.__file__.startswith(sys.prefix) and findings
print(diya.__version__, len(findings), "findings")' "$log"
"$work/env/bin/diya" info "$log" >/dev/null
