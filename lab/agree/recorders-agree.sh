#!/bin/sh
# Writes lab/agree/recorders-agree.md: whether recordings of the same programs by diya, Darshan,
# DFTracer and Recorder have the same first finding. Takes minutes; run by hand.
#
#   lab/agree/recorders-agree.sh RECORDER
#
# RECORDER is librecorder.so of github.com/uiuc-hpc/Recorder, built with MPICH:
#   cmake -S . -B build -DCMAKE_C_COMPILER=mpicc.mpich -DMPI_C_COMPILER=mpicc.mpich \
#     -DMPI_CXX_COMPILER=mpicxx.mpich -DMPI_Fortran_COMPILER=mpifort.mpich
#   cmake --build build --target recorder
# Darshan comes from scripts/darshan-peer.sh, DFTracer from PyPI. DIYA names the program under
# test: by default the quick build.
set -eu
[ $# -eq 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
recorder=$(realpath "$1")
cd "$(dirname "$0")/../.."
target=$(scripts/target-dir.sh)
darshan=$(scripts/darshan-peer.sh hdf5 mpich)
packages=$target/dftracer-env
[ -d "$packages" ] || python3 -m venv "$packages"
"$packages/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: dftracer==2.2.0
dftracer=$(find "$packages" -name libdftracer_preload.so | head -n 1)
make --silent -C workloads MPI=mpich OUT="$target/capture/workloads/mpich"
work=$(mktemp -d "${TMPDIR:-/tmp}/diya-recorders.XXXXXX")
trap 'rm -rf "$work"' EXIT
python3 lab/agree/recorders_agree.py --diya "${DIYA:-$target/debug/diya}" \
    --programs "$target/capture/workloads/mpich" --work "$work" --darshan "$darshan/lib/libdarshan.so" \
    --dftracer "$dftracer" --recorder "$recorder" --page lab/agree/recorders-agree.md
