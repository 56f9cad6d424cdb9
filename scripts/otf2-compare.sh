#!/bin/sh
# Compares what diya reads in archives of OTF2, and writes again, with what the reader of the
# Python package otf2 finds in the archives themselves: how often each thread called each function,
# and the bytes of each file.
#
#   scripts/otf2-compare.sh [ARCHIVE ...]    tar files or anchors; without any, those of corpus/
set -eu
cd "$(dirname "$0")/.."
python=$(scripts/python-env.sh tests/peers/otf2-requirements.txt otf2-env)/python
diya=$(scripts/target-dir.sh)/debug/diya
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -gt 0 ] || set -- corpus/traces/otf2_*.tar

# The sums without times, whose ticks differ, and without the width of offsets in names.
sums() {
    "$python" tests/peers/otf2_text.py "$1" | awk '
        $1 == "region" { $5 = ""; sub(/64$/, "") }
        $1 == "region" || $1 == "moved" { print }' | sort
}

failed=0
for archive; do
    rm -rf "${scratch:?}"/*
    anchor=$archive
    if [ "${archive%.tar}" != "$archive" ]; then
        mkdir "$scratch/in"
        tar -C "$scratch/in" -xf "$archive"
        anchor=$(find "$scratch/in" -name '*.otf2')
    fi
    "$diya" export "$anchor" --format otf2 -o "$scratch/out" --quiet >/dev/null
    sums "$anchor" >"$scratch/theirs"
    sums "$scratch/out/traces.otf2" >"$scratch/ours"
    # Operations without a function have one of their own in the tables, which is none of theirs.
    grep '^moved' "$scratch/ours" >"$scratch/moved" || true
    comm -12 "$scratch/theirs" "$scratch/ours" | grep '^region' | sort - "$scratch/moved" \
        >"$scratch/same" || true
    if diff "$scratch/theirs" "$scratch/same"; then
        echo "$archive: $(wc -l <"$scratch/theirs") sums are equal"
    else
        failed=1
    fi
done
exit $failed
