#!/bin/sh
# Python's own tests of files, processes, threads and signals: under `diya run --stacks`
# the same ones must pass as without it. Takes an hour; run by hand.
#
#   scripts/python-own-tests.sh [PYTHON...]
#
# The default: Debian's python3, whose tests it installs with apt-get as root, and
# Python 3.9 of Debian 11, unpacked beside the build (scripts/pythons.sh). DIYA names the
# program under test: by default the quick build; ONLY the modules, such as
# ONLY="test_os test_mmap", which take minutes.
set -eu
cd "$(dirname "$0")/.."
say() { echo "python-own-tests: $*" >&2; }
. scripts/packages.sh

target=$(scripts/target-dir.sh)
if [ $# -eq 0 ]; then
    own=libpython3.$(/usr/bin/python3 -c 'import sys; print(sys.version_info.minor)')-testsuite
    if [ -n "$(lacking "$own")" ]; then
        may_install || {
            say "only root may install $own; name interpreters that have their tests"
            exit 1
        }
        install_packages "$own"
    fi
    scripts/pythons.sh "$target/pythons-with-tests" 9 >&2
    set -- /usr/bin/python3 "$target/pythons-with-tests/python3.9"
fi
status=0
for python; do
    # shellcheck disable=SC2086 # a list of names
    python3 tests/capture/python_tests.py --diya "${DIYA:-$target/debug/diya}" --python "$python" \
        ${ONLY:+--only $ONLY} || status=1
done
exit $status
