#!/usr/bin/env bash
# PyDarshan's own tests with `diya.darshan.DarshanReport` in the place of its class:
#
#   scripts/pydarshan-suite.sh              ten minutes; words for pytest may be given: -k report
#   PEER=1 scripts/pydarshan-suite.sh       with PyDarshan's own class, to compare
#   scripts/pydarshan-suite.sh --times      only how long both take for logs, plots, summaries
#
# The tests come with PyDarshan's wheel. Most of their logs are in a repository of their own:
# DARSHAN_LOGS names where `git clone` finds it, or a folder with its package darshan_logs.
# WHEEL names the wheel under test: by default the quick build, which is slow at --times.
set -eu
cd "$(dirname "$0")/.."
target=$(scripts/target-dir.sh)
wheel=${WHEEL:-$(scripts/wheel.sh dev)}
bin=$(scripts/python-env.sh tests/peers/suite-requirements.txt pydarshan-env)
"$bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"

logs=${DARSHAN_LOGS:-https://github.com/darshan-hpc/darshan-logs}
if [ ! -d "$logs/darshan_logs" ]; then
    source=$logs
    logs=$target/darshan-logs
    [ -d "$logs/darshan_logs" ] || git clone --quiet --depth 1 "$source" "$logs" || {
        echo "pydarshan-suite: no logs from $source: their tests are skipped" >&2
        logs=
    }
fi
PYTHONPATH=${logs:+$logs:}tests/peers
MPLBACKEND=agg
export PYTHONPATH MPLBACKEND
if [ "${1-}" = --times ]; then
    shift
    exec "$bin/python" tests/peers/pydarshan_times.py "$@"
fi
# What goes wrong in a log must not take the machine's memory with it.
ulimit -v 16000000
exec "$bin/python" -m pytest -q -p no:cacheprovider -p pydarshan_suite -W ignore --tb=short --pyargs darshan "$@"
