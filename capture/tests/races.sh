#!/bin/bash
# The recorder under the thread sanitizer:  races.sh [FOLDER]
#
# Without the hooks, which the sanitizer would run into before it is set up.
# Exits non-zero if two threads touch something without an order between them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}
cd "$here/.."
mapfile -t sources < <(find src -name "*.c" ! -name "hook_*" ! -name "fortran_*")
"${CC:-cc}" -O1 -g -w -fsanitize=thread -std=gnu11 -D_GNU_SOURCE -fno-strict-aliasing -Iinclude -Isrc \
    -Wl,--wrap=diya_header_write -o "$work/races" "${sources[@]}" tests/races.c -ldl -lpthread
# The sanitizer does not fit every layout of memory that newer kernels choose.
fixed=()
if setarch -R true 2>/dev/null; then fixed=(setarch -R); fi
for mode in trace profile; do
    for stacks in 0 1; do
        rm -rf "$work/segments"
        DIYA_MODE=$mode DIYA_STACKS=$stacks DIYA_DIR=$work/segments "${fixed[@]}" "$work/races" >"$work/calls"
        test "$(cat "$work/calls")" = 122400
    done
done
rm -rf "$work/segments"
echo "races: none in trace and profile, with and without stacks"
