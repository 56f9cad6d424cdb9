#!/bin/sh
# Tests of the page: types, decisions, data sources, then the page in Chromium.
#
#   scripts/web-tests.sh           all of it (Debian's `chromium`, or CHROMIUM=path)
#   scripts/web-tests.sh quick     without a browser
#
# Fails, too, when web/dist/report.html, fleet.html or licences.txt is not what the sources
# build: `diya` carries these pages.
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
need_web_packages
cd web

npm run --silent check
npm run --silent test
before=$(sha256sum dist/report.html dist/fleet.html dist/licences.txt)
npm run --silent build
[ "$before" = "$(sha256sum dist/report.html dist/fleet.html dist/licences.txt)" ] || {
    echo "a page in web/dist was older than its sources; it is new now: commit it" >&2
    exit 1
}
if [ "${1:-all}" != quick ]; then
    npm run --silent build:memory
    npm run --silent browser
fi
