#!/bin/sh
# How fluid the page is: makes pages of openPMD's, a 1 million call, a 10 million call,
# a 100,000 rank and a 100,000 file log, and pans, zooms, scrolls and sorts them in headless
# Chromium (benches/web/run.mjs).
#
#   scripts/web-bench.sh               pages from file://
#   scripts/web-bench.sh NAME=URL...   those that `diya serve` shows, besides
# DIYA_SHARED and DIYA: see scripts/page-tools.sh.
set -eu
cd "$(dirname "$0")/.."
. scripts/page-tools.sh

# page NAME LOG: makes a page, prints time and memory.
page() {
    [ -e "$2" ] || {
        echo "web-bench: no $2" >&2
        return 0
    }
    python3 - "$diya" "$2" "$work/$1.html" <<'PYTHON'
import pathlib, resource, subprocess, sys
diya, log, out = sys.argv[1:]
subprocess.run([diya, "report", "--quiet", log, "--html", out], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
size = pathlib.Path(out).stat().st_size
cpu_s, peak_mib = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
print(f"{pathlib.Path(out).stem}: page made in {cpu_s:.2f} CPU s, {peak_mib:.0f} MiB, {size / 2**20:.2f} MiB in all")
PYTHON
    set -- "$1"
    pages="$pages $1=$work/$1.html"
}

echo "web/dist/report.html: $(gzip -9 -c web/dist/report.html | wc -c) bytes compressed, the limit is 300000"
pages=""
page openpmd "$openpmd"
page 1M "$logs/generated/lib-3.5.0/big_1m.darshan"
page 1M-mixed "$logs/generated/lib-3.5.0/bigmix_1m.darshan"
page 10M "$logs/generated/lib-3.5.0/big_10m.darshan"
# 16 ranks, 6,250 times each.
if [ -e "$logs/generated/lib-3.5.0/ior_16ranks_fpp.darshan" ]; then
    cargo run -q --release --locked -p diya-testkit --example many_calls -- \
        "$logs/generated/lib-3.5.0/ior_16ranks_fpp.darshan" 6250 "$work/ranks.darshan"
    page 100k-ranks "$work/ranks.darshan"
fi
"$diya" run -q -o "$work/files.diya" -- python3 -S benches/web/many_files.py "$work/many"
page 100k-files "$work/files.diya"
# shellcheck disable=SC2086 # a list of pages
node benches/web/run.mjs $pages "$@"
