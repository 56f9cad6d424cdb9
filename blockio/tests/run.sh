#!/bin/bash
# Tests of blockio: random shapes and errors without MPI (AddressSanitizer, UBSan) and with
# MPICH and Open MPI on 1, 2 and 4 ranks, threads without MPI, and MPICH under ThreadSanitizer,
# Fortran, Python.
#
#   tests/run.sh BUILD        CASES=200 times that many cases
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/.."
cases=${CASES:-1}
work=$(mktemp -d "${TMPDIR:-/dev/shm}/blockio-tests.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Open MPI refuses root, and more ranks than cores; both are fine for a test.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

flags=(-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -g -O1 -Iinclude)
[ ! -e ../capture/include/diya.h ] || flags+=(-isystem ../capture/include)
serial=() parallel=()
for source in src/*.c; do
    case $source in
    *group_mpi* | *store_mpi* | *schedule* | *exchange* | *collective*) parallel+=("$source") ;;
    *group_none*) serial+=("$source") ;;
    *) serial+=("$source") parallel+=("$source") ;;
    esac
done
# Of group_mpi.c: local files or files behind a network, as a test wants.
wrapped=(-DBLOCKIO_WITH_MPI -Wno-stringop-overflow "-Wl,--wrap=is_local_path")
address=("-fsanitize=address,undefined" "-fno-sanitize-recover=undefined")

for test in random_shapes errors choices; do
    cc "${flags[@]}" "${address[@]}" -o "$work/$test" "tests/$test.c" "${serial[@]}"
done
"$work/random_shapes" "$work/file" 1 $((2000 * cases))
"$work/errors" "$work/file"
"$work/choices"
cc "${flags[@]}" -fsanitize=thread -o "$work/threads" tests/threads.c "${serial[@]}" -lpthread
"$work/threads" "$work/file"

# The lists of MPI's own memory would hide a leak of ours: leaks are looked for without MPI.
for mpi in mpich openmpi; do
    if ! command -v "mpicc.$mpi" >/dev/null; then
        echo "skipped: no mpicc.$mpi here"
        continue
    fi
    many=()
    [ "$mpi" = mpich ] || many=(--oversubscribe)
    for test in random_shapes errors; do
        "mpicc.$mpi" "${flags[@]}" "${wrapped[@]}" "${address[@]}" -o "$work/$test" "tests/$test.c" "${parallel[@]}"
    done
    # Ranks beyond the cores wait by spinning: fewer cases there.
    while read -r ranks count seed; do
        run=("mpirun.$mpi" "${many[@]}" -n "$ranks" env ASAN_OPTIONS=detect_leaks=0)
        printf '%s: ' "$mpi"
        "${run[@]}" "$work/random_shapes" "$work/file" "$seed" $((count * cases)) </dev/null
        "${run[@]}" "$work/errors" "$work/file" </dev/null
    done <<'RUNS'
1 100 1
2 40 301
4 12 180
RUNS
done

# ThreadSanitizer sees this library, not MPICH, and needs no suppression. UCX below MPICH replaces
# madvise, which glibc calls when a thread has ended already: there ThreadSanitizer would crash.
if command -v mpicc.mpich >/dev/null; then
    mpicc.mpich "${flags[@]}" "${wrapped[@]}" -fsanitize=thread -o "$work/random_shapes" tests/random_shapes.c \
        "${parallel[@]}"
    printf 'mpich, ThreadSanitizer: '
    UCX_MEM_EVENTS=no mpirun.mpich -n 2 "$work/random_shapes" "$work/file" 1 $((10 * cases))
fi

if [ -e "$build/libblockio_fortran.a" ]; then
    "${FC:-gfortran}" -std=f2008 -Wall -I"$build" -o "$work/fortran" tests/test_fortran.f90 \
        "$build/libblockio_fortran.a" "$build/libblockio.a"
    "$work/fortran" "$work/file"
else
    echo "skipped: no Fortran compiler here"
fi
# As a user does: installed, found by pkg-config.
make --silent OUT="$build" PREFIX="$work/installed" install >/dev/null
export PKG_CONFIG_PATH=$work/installed/lib/pkgconfig
read -r -a installed <<<"$(pkg-config --cflags --libs blockio)"
cc -std=c11 -o "$work/threads" tests/threads.c "${installed[@]}" -lpthread
LD_LIBRARY_PATH=$work/installed/lib "$work/threads" "$work/file"
make --silent OUT="$build" PREFIX="$work/installed" uninstall
[ -z "$(find "$work/installed" -type f -o -type l)" ] || {
    echo "uninstall left files"
    exit 1
}

BLOCKIO_LIBRARY=$build/libblockio.so python3 -B tests/test_python.py
