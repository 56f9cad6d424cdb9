#!/bin/sh
# Records real programs of Debian and PyPI, and compares what diya says of them with
# what an expert says (lab/real/programs.toml). Run by hand: it installs the programs.
#
#   lab/real/real-programs.sh                  record, report, score
#   lab/real/real-programs.sh --keep first     ... and keep it as the first try
#   lab/real/real-programs.sh --keep now       ... and keep it as the last run
#   lab/real/real-programs.sh --only NAME...   only these programs
#   lab/real/real-programs.sh --reports        reports of the last recordings, after a mend
#
# --keep writes lab/real/real-programs.md. DIYA names the program that is judged, the quick
# build by default. As root it installs with apt-get what is missing, and says so; a
# program whose package is missing counts as not recorded.
set -eu
cd "$(dirname "$0")/../.."
say() { echo "real-programs: $*" >&2; }
. scripts/packages.sh

keep=
if [ "${1:-}" = --keep ]; then
    keep="--keep $2"
    shift 2
fi
wanted=$(sed -n 's/^apt = "\(.*\)"$/\1/p' lab/real/programs*.toml | tr ' ' '\n' | sort -u)
# shellcheck disable=SC2086 # a list of names
missing=$(lacking $wanted)
if [ -n "$missing" ] && may_install; then
    # shellcheck disable=SC2086
    install_packages $missing
elif [ -n "$missing" ]; then
    say "not installed, and only root may install them:" $missing
fi
target=$(scripts/target-dir.sh)
python=$(scripts/python-env.sh lab/real/requirements.txt real-env)/python
results=$target/real
status=0
"$python" lab/real/run.py --diya "${DIYA:-$target/debug/diya}" --out "$results" "$@" || status=1
# shellcheck disable=SC2086 # an option and its value
"$python" lab/real/score.py --results "$results" $keep
exit $status
