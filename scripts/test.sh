#!/bin/sh
# Every test: what the corpus reads as, the comparison with PyDarshan, that of the
# SQL engines, cargo's, those of the Python package and of the page, then the recorder
# on real programs, blockio, and the checks on planted faults. Says how long each took.
#
# `--workspace` throughout: one set of features for all that is built
# (docs/decisions/0003), with cargo's own profile, the quick one (0014).
set -eu
cd "$(dirname "$0")/.."

part() {
    started=$(date +%s)
    "$@"
    echo "test: $* took $(($(date +%s) - started)) s"
}

# The tests are some hundred programs. GNU ld, which Debian's Rust links them with, takes 18 s
# for each that holds the SQL engine; lld a fraction. (mold 1.10 takes the names of functions
# away, too, where only debug information is to go.) gcc takes the first `ld` on PATH, which no
# build script watches. Only here, and in the background: what people run is linked as everywhere.
quick_links() {
    links=$(scripts/target-dir.sh)/lld
    mkdir -p "$links"
    ln -sf "$(command -v ld.lld || command -v ld)" "$links/ld"
    exec env PATH="$links:$PATH" "$@"
}

cargo build --workspace --bin diya --bin xtask
target=$(scripts/target-dir.sh)
# The comparisons with PyDarshan keep one processor busy: the other one builds the tests.
quick_links nice -n 10 cargo test --quiet --workspace --no-run &
tests=$!
cluster=
trap 'kill $tests $cluster 2>/dev/null || true' EXIT
part "$target/debug/xtask" corpus-diff
part scripts/peers.sh
part wait "$tests"
# Another engine, in a folder of its own, while tests run.
if [ "${CI:-}" = true ]; then
    nice -n 10 scripts/cluster.sh &
    cluster=$!
fi
part scripts/engines.sh
# Optimised code is another program: what walks over bytes and calls is tested as
# people run it, too. Some of the other tests keep one processor busy: it is built beside them.
quick_links nice -n 10 cargo test --quiet --release -p diya-read -p diya-timeline -p diya-write --no-run &
tests=$!
part cargo test --workspace
part wait "$tests"
part cargo test --release -p diya-read -p diya-timeline -p diya-write
part scripts/python-tests.sh
[ -z "$cluster" ] || part wait "$cluster"
trap - EXIT
part scripts/fleet-ways.sh
# The page keeps one processor busy, programs that are recorded the other one: what the browser
# says is shown when they have ended.
said=$target/web-tests.log
scripts/web-tests.sh >"$said" 2>&1 &
web=$!
trap 'kill $web 2>/dev/null || true' EXIT
part scripts/capture-tests.sh
page() {
    wait "$web" && status=0 || status=$?
    cat "$said"
    return "$status"
}
part page
trap - EXIT
part scripts/web-app-tests.sh if-built
part scripts/blockio-tests.sh
part scripts/confusion.sh
