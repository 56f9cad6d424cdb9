#!/bin/sh
# Tests of the Python package: the wheel in a fresh environment, alone and beside the packages
# that take its tables; its types by mypy and pyright. Words for pytest may be given.
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
need_node # pyright is a program of it

wheel=$(scripts/wheel.sh dev)
packages=$(scripts/python-env.sh tests/python/requirements.txt package-env)
fresh=$(scripts/target-dir.sh)/package-fresh
python3 -m venv --clear "$fresh"
"$fresh/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
python3 tests/python/sdist.py --maturin "$(scripts/target-dir.sh)/wheel-env/bin/maturin" \
    --read "$(scripts/target-dir.sh)/debug/libdiya_python.d"
# It needs nothing but Python.
"$fresh/bin/python" -c 'import diya
found = diya.open("corpus/logs/nonmpi_cp.darshan").report().to_dict()["findings"]
assert "job/io-is-negligible" in [f["id"] for f in found], found'
site=$("$packages/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
PYTHONPATH=$site "$fresh/bin/python" -m pytest -q -p no:cacheprovider tests/python "$@"
"$packages/mypy" --cache-dir "$(scripts/target-dir.sh)/mypy"
"$packages/pyright" --pythonpath "$packages/python"
