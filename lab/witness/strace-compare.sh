#!/bin/sh
# Counts the I/O of some fifty programs of Debian and PyPI twice, by strace and by diya,
# and compares (tests/witness/). Run by hand: it installs the programs.
#
#   lab/witness/strace-compare.sh                 all; writes lab/witness/recorder-against-strace.md
#   lab/witness/strace-compare.sh --only NAME...  only these programs, no page
#   lab/witness/strace-compare.sh --quick         only those of the tests, no page
#
# DIYA names the program that is judged: by default the quick build. As root it installs
# with apt-get what is missing, and says so; a program that is missing is not counted.
set -eu
cd "$(dirname "$0")/../.."
say() { echo "strace-compare: $*" >&2; }
. scripts/packages.sh

wanted=$(sed -n 's/^apt = "\(.*\)"$/\1/p' tests/witness/programs.toml | tr ' ' '\n' | sort -u)
# shellcheck disable=SC2086 # a list of names
missing=$(lacking strace binutils $wanted)
if [ -n "$missing" ] && may_install; then
    # shellcheck disable=SC2086
    install_packages $missing
elif [ -n "$missing" ]; then
    say "not installed, and only root may install them:" $missing
fi
target=$(scripts/target-dir.sh)
python=$(scripts/python-env.sh lab/real/requirements.txt real-env)/python
exec "$python" lab/witness/page.py --diya "${DIYA:-$target/debug/diya}" --python "$python" "$@"
