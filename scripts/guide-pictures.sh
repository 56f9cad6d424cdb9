#!/bin/sh
# Makes the pictures of docs/guide/views, and the tour: the page itself, of real logs.
# DIYA_SHARED and DIYA: see scripts/page-tools.sh.
set -eu
cd "$(dirname "$0")/.."
. scripts/page-tools.sh

page() { "$diya" report --quiet "$2" --html "$work/$1.html" >/dev/null; }
page openpmd "$openpmd"
page before "$logs/generated/lib-3.5.0/straggler10x.darshan"
page after "$logs/generated/lib-3.5.0/stragglersleep.darshan"
cp scripts/simulation.py "$work/"
python=$(python3 -c 'import sys; print(sys.executable)') # not a script that looks for one
(cd "$work" && "$diya" run --quiet --stacks --force -o stacks.diya -- "$python" simulation.py .)
page stacks "$work/stacks.diya"
cd web
node build/pictures.mjs "$work" ../docs/guide/views
node build/tour.mjs "$work/openpmd.html" ../docs/guide/views/tour.gif
