#!/bin/sh
# Builds Darshan from its source, once, and prints the folder that holds it. Darshan's runtime
# is in no registry of packages; git brings it, DARSHAN_SOURCE names another clone.
#
#   prefix=$(scripts/darshan-peer.sh)               # $prefix/lib/libdarshan.so
#   prefix=$(scripts/darshan-peer.sh hdf5 serial)   # with its module for Debian's HDF5
#   prefix=$(scripts/darshan-peer.sh hdf5 mpich)
set -eu
cd "$(dirname "$0")/.."
say() { echo "darshan-peer: $*" >&2; }
. scripts/packages.sh

version=3.5.0
name=darshan${1:+-$1-$2}
# shellcheck disable=SC2046 # a list of names
missing=$(lacking autoconf automake libtool pkg-config zlib1g-dev mpich libmpich-dev ${1:+hdf5-tools})
if [ -n "$missing" ] && may_install; then
    # shellcheck disable=SC2086
    install_packages $missing >&2
elif [ -n "$missing" ]; then
    say "not installed, and only root may install them: $(echo "$missing" | paste -sd ' ' -)"
    exit 1
fi
peers=$(scripts/target-dir.sh)/recording-peers
prefix=$peers/$name
mkdir -p "$peers"
if [ ! -e "$prefix/version" ]; then
    source=$peers/$name-source
    rm -rf "${source:?}" "${prefix:?}"
    say "building Darshan $version${1:+ with its module $1 ($2)}"
    git clone --quiet --depth 1 --branch "$version" \
        "${DARSHAN_SOURCE:-https://github.com/darshan-hpc/darshan}" "$source" 2>"$peers/$name.log" ||
        {
            say "no source of Darshan: $(tail -n 1 "$peers/$name.log")"
            exit 1
        }
    set -- "${1:-}" "${2:-}"
    modules="CC=mpicc.mpich"
    if [ "$1" = hdf5 ]; then
        # Debian keeps each HDF5 in several folders, Darshan wants one.
        mkdir -p "$prefix/peer/bin"
        ln -s "$(command -v h5dump)" "$prefix/peer/bin/h5dump"
        ln -s "/usr/include/hdf5/$2" "$prefix/peer/include"
        ln -s "/usr/lib/$(cc -print-multiarch)/hdf5/$2" "$prefix/peer/lib"
        modules="--enable-hdf5-mod --with-hdf5=$prefix/peer CC=mpicc.mpich"
        # An HDF5 without MPI asks for a Darshan without it.
        [ "$2" != serial ] ||
            modules="--enable-hdf5-mod --with-hdf5=$prefix/peer --without-mpi CC=cc"
    fi
    (
        cd "$source"
        ./prepare.sh
        cd darshan-runtime
        # shellcheck disable=SC2086 # options
        ./configure --prefix="$prefix" --with-log-path-by-env=DARSHAN_LOG_DIR_PATH \
            --with-jobid-env=NONE $modules
        make install
    ) >"$peers/$name.log" 2>&1 || {
        tail -n 20 "$peers/$name.log" >&2
        exit 1
    }
    rm -rf "${source:?}"
    echo "$version" >"$prefix/version"
fi
echo "$prefix"
