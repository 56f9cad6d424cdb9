#!/bin/sh
# Builds the pages that diya carries, web/dist, where they are older than their sources.
#
#   scripts/page.sh             builds them; fails where Node.js is missing
#   scripts/page.sh if-node     ... says what is missing and goes on without them
#
# They are no part of the repository (docs/decisions/0079): a clone makes them from the packages
# that web/package-lock.json pins.
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh

# Everything that the bundler reads; the file lists the sums, so a changed, new or lost file counts.
sums() {
    find web/src web/build -type f | LC_ALL=C sort | xargs sha256sum
    sha256sum web/*.ts web/package.json web/package-lock.json web/*.html 2>/dev/null || true
}

built=web/dist/.sources
if [ -f web/dist/report.html ] && [ -f web/dist/fleet.html ] && [ -f "$built" ] &&
    [ "$(sums)" = "$(cat "$built")" ]; then exit 0; fi
if ! find_node && [ "${1:-}" = if-node ]; then
    echo "page: no Node.js $node_floor or newer: reports in the browser will be plain text" >&2
    exit 0
fi
need_node
started=$(date +%s)
cd web
[ -d node_modules ] && [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --silent
npm run --silent build
cd ..
sums >"$built"
echo "page: web/dist took $(($(date +%s) - started)) s"
