#!/bin/sh
# Tests of the recorder: the library by itself, then `diya run` on real programs
# under MPICH and Open MPI.
#
#   scripts/capture-tests.sh [library|programs|layers|apply|workloads|darshan|launcher|witness]...
set -eu
cd "$(dirname "$0")/.."

parts="${*:-library programs layers apply workloads darshan launcher witness}"
target=$(scripts/target-dir.sh)
diya=$target/debug/diya
work=$target/capture
mkdir -p "$work"
# Open MPI refuses root, and more ranks than cores; both are fine for a test.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

wants() {
    case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

make --silent -C capture OUT="$work/library"
library=$work/library/libdiya_capture.so

if wants library; then
    # Lines of Python are read by each version's own layout: each is tried.
    if [ -z "${DIYA_PYTHONS:-}" ]; then
        DIYA_PYTHONS=$target/pythons
        scripts/pythons.sh "$DIYA_PYTHONS"
        export DIYA_PYTHONS
    fi
    capture/tests/run.sh "$library"
fi
if wants programs; then
    capture/tests/transparency.sh "$library"
fi
if wants layers; then
    python=$(scripts/python-env.sh capture/tests/layers/requirements.txt layers-env)
    DIYA_CAPTURE_LIBRARY=$library DIYA_LAYERS_VENV=$(dirname "$python") capture/tests/layers/run.sh
fi
if wants apply; then
    make --silent -C apply OUT="$work/library"
    apply/tests/run.sh "$work/library/libdiya_apply.so" 30
    python=$(scripts/python-env.sh capture/tests/layers/requirements.txt layers-env)
    for layer in mpi hdf5; do
        DIYA_LAYERS_VENV=$(dirname "$python") "apply/tests/$layer.sh" "$work/library/libdiya_apply.so"
    done
fi
if wants workloads; then
    python3 workloads/test_run.py
    for mpi in mpich openmpi; do
        make --silent -C workloads MPI="$mpi" OUT="$work/workloads/$mpi"
    done
    python3 tests/capture/answers.py --diya "$diya" --programs "$work/workloads"
    # The same programs under strace, whose text diya reads.
    python3 tests/capture/same_finding.py --diya "$diya" --programs "$work/workloads/mpich" \
        --work "$work/same-finding"
fi
if wants darshan; then
    # Recordings as Darshan logs: PyDarshan must read what diya reads.
    logs=$work/darshan
    mkdir -p "$logs"
    python3 workloads/run.py --mpi mpich --bin "$work/workloads/mpich" --work "$logs" \
        --only strided_shared_file hdf5_transfer text_output mpiio_kinds python_small_reads \
        --wrap "$diya run -q --force -o $logs/{name}.diya --"
    "$(scripts/python-env.sh)/python" tests/peers/convert_equal.py --diya "$diya" "$logs"/*.diya
fi
if wants launcher; then
    python3 tests/capture/launcher.py --diya "$diya" --work "$work/launcher"
    python3 tests/capture/losses.py --diya "$diya" --work "$work/losses"
    python3 tests/capture/apply.py --diya "$diya" --work "$work/apply"
    python3 tests/capture/blockio_notes.py --diya "$diya" --work "$work/blockio"
    python3 tests/capture/tune_loop.py --diya "$diya" --work "$work/tune-loop"
fi
if wants witness; then
    # The same programs under strace: six of the fifty of lab/witness/strace-compare.sh.
    python3 tests/witness/compare.py --diya "$diya" --quick
fi
