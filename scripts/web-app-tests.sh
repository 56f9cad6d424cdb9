#!/bin/sh
# The page that opens dropped logs, in Chromium: verdict and SQL as the program's.
#
#   scripts/web-app-tests.sh              builds what is not built (10 minutes the first time)
#   scripts/web-app-tests.sh if-built     only where the engine was built before: `make test`
#
# Needs Debian's `chromium`, or CHROMIUM=path. DIYA_SHARED names the folder with
# logs/public/, for the log of 1024 ranks.
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
need_node

target=$(scripts/target-dir.sh)
if [ "${1:-}" = if-built ]; then
    if [ ! -f "$target/wasm32-unknown-unknown/web/diya_browser.wasm" ]; then
        echo "web-app: the engine was not built here (make web-app): its tests do not run"
        exit 0
    fi
fi
# A second build says in seconds that nothing changed.
cargo xtask web-app
cargo build --workspace --bin diya
DIYA=$target/debug/diya
DIYA_SHARED=$(cd "${DIYA_SHARED:-../shared}" 2>/dev/null && pwd || echo "")
export DIYA DIYA_SHARED
cd web
npm run --silent app
