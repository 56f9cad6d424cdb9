#!/bin/sh
# Makes the pictures of docs/guide/views: the page itself, of real logs.
#
# The logs are not part of the repository: DIYA_SHARED names the folder that holds
# logs/ (../shared unless told). DIYA names the diya that makes the pages.
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
need_node

logs=${DIYA_SHARED:-../shared}/logs
diya=${DIYA:-$(scripts/target-dir.sh)/release/diya}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d web/node_modules ] || (cd web && npm ci --no-audit --no-fund)

page() { "$diya" report --quiet "$2" --html "$work/$1.html" >/dev/null; }
page openpmd "$(ls "$logs"/public/hpc-io+dxt-explorer/sample/jeanbez_8_benchmark_parallel*.darshan)"
page before "$logs/generated/lib-3.5.0/straggler10x.darshan"
page after "$logs/generated/lib-3.5.0/stragglersleep.darshan"
cat >"$work/simulation.py" <<'PYTHON'
import sys

def write_state(path, lines):
    with open(path, "w", buffering=1) as file:
        for line in range(lines):
            file.write(f"cell {line}\n")

def checkpoint(step):
    write_state(f"{sys.argv[1]}/state-{step}.txt", 2000)

for step in range(5):
    checkpoint(step)
PYTHON
python=$(python3 -c 'import sys; print(sys.executable)') # not a script that looks for one
(cd "$work" && "$diya" run --quiet --stacks --force -o stacks.diya -- "$python" simulation.py .)
page stacks "$work/stacks.diya"
cd web
node build/pictures.mjs "$work" ../docs/guide/views
