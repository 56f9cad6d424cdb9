#!/bin/sh
# Makes the pictures of the guide, and the tour: the page itself, of real logs. They are written
# beside the build; only at a release do they replace those of docs/guide/views
# (docs/decisions/0079-what-git-holds.md). DIYA_SHARED and DIYA: see scripts/page-tools.sh.
#
#   scripts/guide-pictures.sh              into target/guide-pictures
#   scripts/guide-pictures.sh --release    ... and into docs/guide/views
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
pictures=$(cd "$(scripts/target-dir.sh)" && pwd)/guide-pictures
mkdir -p "$pictures"
(cd web && node build/pictures.mjs "$work" "$pictures" && node build/tour.mjs "$work/openpmd.html" "$pictures/tour.gif")
if [ "${1:-}" = --release ]; then cp "$pictures"/*.png docs/guide/views/; fi
echo "guide: pictures and tour.gif are in $pictures"
