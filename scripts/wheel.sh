#!/bin/sh
# Builds the wheel of the Python package and prints its path.
#
#   scripts/wheel.sh          the fast one, for systems with the glibc of this one or a newer one
#   scripts/wheel.sh dist     for glibc 2.17 and newer, linked by zig (docs/decisions/0004)
#   scripts/wheel.sh dev      built quickly: what the tests install
set -eu
cd "$(dirname "$0")/.."

profile=${1:-release}
# What people have to download (docs/decisions/0039); a registry takes up to 100 MB.
max_bytes=40000000
target=$(scripts/target-dir.sh)
scripts/page.sh >&2
tools=$(scripts/python-env.sh scripts/wheel-requirements.txt wheel-env)
wheels=$target/wheels/$profile
rm -rf "$wheels"
set -- --profile "$profile" --locked --out "$wheels" --interpreter python3
# Symbols are a tenth of the wheel, and only profilers need them.
case $profile in
dev) ;;
*) set -- "$@" --strip true --compression-level 9 ;;
esac
case $profile in
dist)
    "$tools/pip" install --quiet --disable-pip-version-check ziglang==0.17.0 >&2
    PATH=$tools:$PATH
    set -- "$@" --zig --compatibility manylinux2014
    ;;
# For this machine: the symbols that it needs are not checked, and the file may be large.
dev) set -- "$@" --compatibility linux --compression-method stored ;;
esac
"$tools/maturin" build "$@" >&2
wheel=$(ls "$wheels"/*.whl)
bytes=$(wc -c <"$wheel")
if [ "$profile" != dev ] && [ "$bytes" -gt "$max_bytes" ]; then
    echo "wheel: $wheel has $bytes bytes, more than $max_bytes" >&2
    exit 1
fi
echo "$wheel"
