#!/bin/sh
# Tests of the page: types, decisions, data sources, then the page in Chromium.
#
#   scripts/web-tests.sh           all of it (Debian's `chromium`, or CHROMIUM=path)
#   scripts/web-tests.sh quick     without a browser
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
need_web_packages
cd web

npm run --silent check
npm run --silent test
../scripts/page.sh
if [ "${1:-all}" != quick ]; then
    npm run --silent build:memory
    npm run --silent browser
fi
