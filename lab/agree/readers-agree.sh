#!/bin/sh
# Writes lab/agree/readers-agree.md: whether the calls and bytes that diya reads in traces of other tools
# are those that these tools find in them. Takes a few minutes; run by hand, as root or with
# strace, autoconf, automake, libtool and a C compiler installed.
#
#   lab/agree/readers-agree.sh [--only FORMAT...]     FORMAT: strace, Recorder, OTF2, DFTracer,
#                                                   "Darshan text", Chrome; then without the page
#
# The Python packages come from PyPI (wheels of Python 3.11), darshan-parser from Darshan's source:
# DARSHAN_SOURCE names a clone. RECORDER_BUILDS names builds of Recorder with MPICH, a folder for each
# version with lib/librecorder.so and bin/recorder2text: then programs of workloads/ are recorded with
# each; otherwise only the traces of the corpus are compared. DIYA names the program under test: by
# default the quick build.
set -eu
cd "$(dirname "$0")/../.."
say() { echo "readers-agree: $*" >&2; }
. scripts/packages.sh

missing=$(lacking strace autoconf automake libtool zlib1g-dev)
if [ -n "$missing" ] && may_install; then
    # shellcheck disable=SC2086 # a list of names
    install_packages $missing
elif [ -n "$missing" ]; then
    say "not installed, and only root may install them:" $missing
    exit 1
fi
target=$(scripts/target-dir.sh)
tools=$target/agree-tools
mkdir -p "$tools"
for packages in otf2==3.2 viztracer==1.1.1 "dftracer==2.2.0 dftracer-utils==0.0.14"; do
    name=${packages%%=*}
    [ -d "$tools/$name" ] || python3 -m venv "$tools/$name"
    # shellcheck disable=SC2086 # a list of names
    "$tools/$name/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $packages
done
if [ ! -e "$tools/darshan/bin/darshan-parser" ]; then
    source=$tools/darshan-source
    rm -rf "${source:?}"
    say "building darshan-parser"
    git clone --quiet "${DARSHAN_SOURCE:-https://github.com/darshan-hpc/darshan}" "$source"
    (
        cd "$source"
        ./prepare.sh
        cd darshan-util
        ./configure --prefix="$tools/darshan"
        make install
    ) >"$tools/darshan.log" 2>&1 || { tail -n 20 "$tools/darshan.log" >&2; exit 1; }
    rm -rf "${source:?}"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/diya-agree.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- --page lab/agree/readers-agree.md
if [ -n "${RECORDER_BUILDS:-}" ]; then
    programs=$target/capture/workloads/mpich
    make --silent -C workloads MPI=mpich OUT="$programs"
    set -- "$@" --recorder "$RECORDER_BUILDS" --programs "$programs"
fi
python3 lab/agree/run.py --diya "${DIYA:-$target/debug/diya}" --work "$work" --tools "$tools" "$@"
