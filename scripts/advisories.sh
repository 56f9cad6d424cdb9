#!/bin/sh
# Known vulnerabilities of what diya depends on, and whether every file says its licence: make advisories.
#
# Asks cargo-deny for the crates, npm for the packages of the page, and pip-audit for those of the
# scripts in Python. Each needs its data base from the network; what could not be asked is said,
# and is no failure. Not a part of `make lint`: cargo-deny takes minutes to build.
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
find_rust || true
failed=0
unasked=

if ! cargo deny --version >/dev/null 2>&1; then
    echo "advisories: going to build cargo-deny beside the build (minutes, the first time)"
    root=$(scripts/target-dir.sh)/cargo-deny
    PATH=$root/bin:$PATH
    export PATH
    [ -x "$root/bin/cargo-deny" ] || cargo install --quiet --locked --root "$root" cargo-deny || true
fi
if ! cargo deny --version >/dev/null 2>&1; then
    unasked="$unasked, crates (cargo-deny cannot be installed here)"
else
    cargo deny check licenses bans sources || failed=1
    if cargo deny fetch >/dev/null 2>&1; then
        cargo deny check advisories || failed=1
    else
        unasked="$unasked, crates (the data base of advisories does not answer)"
    fi
fi

if ! find_node; then
    unasked="$unasked, packages of the page (no npm)"
else
    said=$(cd web && npm audit --json 2>/dev/null || true)
    case $said in
    *'"vulnerabilities"'*) (cd web && npm audit) || failed=1 ;;
    *) unasked="$unasked, packages of the page (npm audit does not answer)" ;;
    esac
fi

requirements=$(mktemp)
trap 'rm -f "$requirements"' EXIT
echo "pip-audit==2.9.0" >"$requirements"
if tools=$(scripts/python-env.sh "$requirements" audit-env 2>/dev/null); then
    for file in $(git ls-files '*requirements*.txt' | grep -v '^lab/'); do
        status=0
        said=$("$tools/pip-audit" --disable-pip --no-deps -r "$file" 2>&1) || status=$?
        case $said in
        *"No known vulnerabilities"*) ;;
        *" known vulnerabilities in "* | *" known vulnerability in "*) echo "$file: $said" && failed=1 ;;
        *) [ $status = 0 ] || unasked="$unasked, $file (pip-audit: $(echo "$said" | tail -n 1 | cut -c 1-80))" ;;
        esac
    done
else
    unasked="$unasked, packages of Python (pip-audit cannot be installed here)"
fi

echo "reuse==6.2.0" >"$requirements"
if tools=$(scripts/python-env.sh "$requirements" reuse-env 2>/dev/null); then
    "$tools/reuse" lint --quiet || { echo "advisories: reuse lint says which files have no licence" && failed=1; }
else
    unasked="$unasked, licences of our own files (reuse cannot be installed here)"
fi

[ -z "$unasked" ] || echo "advisories: not asked: ${unasked#, }"
exit $failed
