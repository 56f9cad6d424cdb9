#!/bin/bash
# mirror: copy a run folder to the archive host and check it
# The copying is the idiom of the GNU tar and ssh manuals: tar c | pack | ssh host "unpack | tar x"
# usage: mirror.sh [-H HOST] SRC DEST       (without -H the "host" is a shell on this machine)
set -euo pipefail
export LC_ALL=C

HOST=""
PACK="xz -6 -T1 -c"
UNPACK="xz -dc"

usage() { echo "usage: mirror.sh [-H HOST] SRC DEST" >&2; exit 2; }
log() { echo "mirror: $*" >&2; }

remote() {
    if [ -n "$HOST" ]; then
        ssh -o BatchMode=yes "$HOST" "$1"
    else
        bash -c "$1"
    fi
}

while getopts H: opt; do
    case $opt in
        H) HOST=$OPTARG ;;
        *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 2 ] || usage
src=${1%/}
dest=$2
[ -d "$src" ] || { log "$src is no folder"; exit 1; }

manifest() {  # sorted checksums of all files below a folder
    echo "cd '$1' && find . -type f -print0 | sort -z | xargs -0 sha256sum"
}

remote "mkdir -p '$dest'"
bash -c "$(manifest "$src")" > manifest.src &
sums=$!

log "sending $(find "$src" -type f | wc -l) files"
tar -C "$src" --sort=name -cf - . \
    | $PACK \
    | remote "$UNPACK | tar -C '$dest' -xf -"

wait "$sums"
remote "$(manifest "$dest")" > manifest.dest
if ! cmp -s manifest.src manifest.dest; then
    log "copy differs from $src"
    diff manifest.src manifest.dest | head >&2
    exit 1
fi
echo "files $(wc -l < manifest.dest) manifest $(sha256sum < manifest.dest | cut -c1-16)"
