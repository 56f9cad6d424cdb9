#!/bin/sh
# Makes the pictures of docs/guide/beside-other-pages.md: one log in the page of diya, in
# DXT-Explorer, in Drishti and in speedscope; call stacks of a Python program in diya.
# DIYA_SHARED and DIYA: see scripts/page-tools.sh.
set -eu
cd "$(dirname "$0")/../.."
. scripts/page-tools.sh

log=$logs/generated/lib-3.5.0/ior_mpiio_coll_hints.darshan
[ -f "$log" ] || log=corpus/logs/ior_mpiio_coll_hints.darshan
cp "$log" "$work/run.darshan"
peers=$(scripts/python-env.sh tests/page/requirements.txt page-env)
cp tests/page/package.json "$work/"
(cd "$work" && npm install --no-audit --no-fund --silent)
out=$PWD/docs/beside

"$diya" report --quiet "$work/run.darshan" --html "$work/diya.html" >/dev/null
"$diya" export --quiet "$work/run.darshan" --format chrome -o "$work/trace.json"

# DXT-Explorer stops behind the page, at an index of all files: it takes the heat map of Darshan 3.4 for one.
# The name of a page is the id of its file.
mkdir "$work/dxt"
(cd "$work" && PATH=$peers:$PATH "$peers/dxt-explorer" -p dxt run.darshan >dxt.log 2>&1) || true
for page in "$work"/dxt/*-operation.html; do [ ! -f "$page" ] || cp "$page" "$work/dxt-operation.html"; done
[ -f "$work/dxt-operation.html" ] || echo "DXT-Explorer failed: $(tail -n 1 "$work/dxt.log")" >&2

(cd "$work" && "$peers/drishti" --html --light --export_dir "$work/drishti" run.darshan >drishti.log 2>&1) || echo "Drishti failed: $(tail -n 1 "$work/drishti.log")" >&2
for page in "$work"/drishti/*.html; do [ ! -f "$page" ] || cp "$page" "$work/drishti.html"; done

# As the command of speedscope does it: the profile is a script that hands itself over.
cp -r "$work/node_modules/speedscope/dist/release" "$work/speedscope"
printf 'speedscope.loadFileFromBase64("run.json", "%s")\n' "$(base64 -w 0 "$work/trace.json")" >"$work/profile.js"

python=$(python3 -c 'import sys; print(sys.executable)') # not a script that looks for one
cp scripts/simulation.py "$work/"
(cd "$work" && "$diya" run --quiet --stacks --force -o stacks.diya -- "$python" simulation.py .)
"$diya" report --quiet "$work/stacks.diya" --html "$work/stacks.html" >/dev/null

cd web
node build/beside.mjs "$work" "$out"
