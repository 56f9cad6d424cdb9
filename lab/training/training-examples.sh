#!/bin/sh
# Records trainings with PyTorch, torchrun, Hugging Face datasets, webdataset, DALI and TensorFlow,
# and prints what diya says of them, the report included. Needs several hundred megabytes of
# packages; run by hand. The same programs with scikit-learn and webdataset are part of
# scripts/python-tests.sh.
#
#   lab/training/training-examples.sh PYTHON...     interpreters that have torch or tensorflow
#
# Such as: apt-get install python3-torch, and /usr/bin/python3; a virtual environment of it
# (--system-site-packages) with webdataset, nvidia-dali-cuda120, "datasets<4", "pyarrow<20",
# "pandas<3" and "numpy<2", for which Debian's PyTorch is built; or one with tensorflow-cpu.
# DIYA names the program under test: by default the quick build. LOGS names a folder in which the
# logs of each interpreter stay.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
diya=${DIYA:-$(scripts/target-dir.sh)/debug/diya}
programs=$PWD/tests/python/training
work=$(mktemp -d "${TMPDIR:-/tmp}/diya-training.XXXXXX")
trap 'rm -rf "$work"' EXIT
# The package's annotations need no other part of it.
mkdir -p "$work/annotate"
cp python/diya/_annotate.py "$work/annotate/diya.py"
PYTHONPATH=$work/annotate${PYTHONPATH:+:$PYTHONPATH}
export PYTHONPATH TF_CPP_MIN_LOG_LEVEL=3 CUDA_VISIBLE_DEVICES=

# train NAME WORDS... -- COMMAND...: records a command with these words for `diya run`.
train() {
    name=$1 words=
    log=$logs/$name.diya
    shift
    while [ "$1" != -- ]; do words="$words $1"; shift; done
    shift
    # shellcheck disable=SC2086 # options
    "$diya" run -q --force $words -o "$log" -- "$@" >"$work/output" 2>&1 || {
        cat "$work/output" >&2
        exit 1
    }
    echo "== $name"
    "$diya" phases "$log" --view training
    "$diya" sql "$log" "select * from data_loader order by process"
    "$diya" report "$log"
}

interpreters=0
for python; do
    interpreters=$((interpreters + 1))
    logs=${LOGS:-$work}/$interpreters
    mkdir -p "$logs"
    if "$python" -c 'import torch' 2>/dev/null; then
        "$python" "$programs/torch_loader.py" make "$work"
        train torch-named -- "$python" "$programs/torch_loader.py" train "$work" 2 named
        # The example of docs/guide/training.md.
        train torch-named-stacks --stacks -- "$python" "$programs/torch_loader.py" train "$work" 2 named
        train torch-stacks --stacks -- "$python" "$programs/torch_loader.py" train "$work" 2
        train torch-alone -- "$python" "$programs/torch_loader.py" train "$work" 0
        # Samples of libraries, in the program itself and in two workers; DALI has threads of its own.
        for source in huggingface:datasets webdataset:webdataset dali:nvidia.dali; do
            library=${source%%:*}
            "$python" -c "import ${source##*:}" 2>/dev/null || continue
            mkdir -p "$work/$library"
            "$python" "$programs/torch_sources.py" make "$work/$library" "$library"
            for workers in 0 2; do
                train "$library-$workers" -- "$python" "$programs/torch_sources.py" train "$work/$library" "$library" "$workers"
            done
        done
        # As torchrun starts them; that of Debian's PyTorch 1.13 fails with Python 3.11.
        train two-ranks -- "$python" "$programs/as_torchrun.py" "$python" "$programs/torch_loader.py" \
            train "$work" 1 named
        "$diya" sql "$log" "
            select process, rank, launcher, step_rank, launcher_size from process
            where launcher is not null order by process"
    fi
    if "$python" -c 'import tensorflow' 2>/dev/null; then
        "$python" "$programs/tensorflow_records.py" make "$work"
        train tensorflow-named -- "$python" "$programs/tensorflow_records.py" train "$work" named
        train tensorflow-stacks --stacks -- "$python" "$programs/tensorflow_records.py" train "$work"
    fi
done
