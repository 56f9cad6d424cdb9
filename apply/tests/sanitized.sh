#!/bin/sh
# The random operations in a program that holds the library's code, with sanitizers:  sanitized.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
: "${CC:=cc}"
FLAGS="-std=c11 -D_GNU_SOURCE -U_FORTIFY_SOURCE -D__NO_INLINE__ -fPIC -fvisibility=hidden"
FLAGS="$FLAGS -fno-strict-aliasing -O1 -g -w"
# Its own handlers of faults would take the place of what is tested.
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0 TSAN_OPTIONS=handle_segv=0
for kind in address,undefined thread; do
    program=$folder/sanitized-$kind
    # shellcheck disable=SC2086
    "$CC" $FLAGS -fsanitize=$kind -rdynamic -o "$program" "$here/actions.c" "$here"/../src/*.c -ldl -lpthread
    for seed in $(seq 12); do
        for asked in auto 'write_buffer=4096;stream_buffer=65536'; do
            mkdir "$folder/inside"
            # The program ends in many ways; only what a sanitizer says counts.
            DIYA_APPLY=$asked "$program" "$folder/inside" "$folder/log" "$seed" 60 2>"$folder/said" || true
            if grep -qE 'Sanitizer|runtime error' "$folder/said"; then
                cat "$folder/said"
                exit 1
            fi
            rm -rf "$folder/inside" "$folder/log"
        done
    done
done
echo "sanitized: address, undefined, thread: clean"
