#!/bin/sh
# Tests of the page: types, decisions, data sources, then the page in Chromium.
#
#   scripts/web-tests.sh           all of it (Debian's `chromium`, or CHROMIUM=path)
#   scripts/web-tests.sh quick     without a browser
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
need_node
cd web

[ -d node_modules ] && [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund
npm run --silent check
npm run --silent test
../scripts/page.sh
if [ "${1:-all}" != quick ]; then
    npm run --silent build:memory
    npm run --silent browser
fi
