#!/usr/bin/env bash
# Plants faults and their look-alikes, asks the checks, and prints what was
# found, missed, and found wrongly (tests/diagnosis/confusion.py).
set -eu
cd "$(dirname "$0")/.."

python=$(scripts/python-env.sh tests/diagnosis/requirements.txt diagnosis-env)/python
make --silent -C workloads MPI=mpich >/dev/null
shared=${DIYA_SHARED:-../shared}
if [ -d "$shared/logs" ]; then set -- --shared "$shared" "$@"; fi
PYTHONPATH=tests/peers "$python" tests/diagnosis/confusion.py \
    --diya "$(scripts/target-dir.sh)/debug/diya" "$@"
