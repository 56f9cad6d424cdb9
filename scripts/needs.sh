#!/bin/bash
# Runs a command and lists the packages of the system whose files it opened: what
# was in the minimal system before, what set-up asks for, and what these depend on.
#
#   scripts/needs.sh make demo
#
# Fails when a file comes from a package that set-up neither asks for nor gets with
# what it asks for, or from no package at all. Runs in the clean room only
# (scripts/clean-room.sh): there every reading of a file leaves its time
# (strictatime), and what was installed before is known.
set -euo pipefail
cd "$(dirname "$0")/.."

base=/var/lib/diya-clean-room/packages # names, written when the room was made
if [ ! -f "$base" ]; then
    echo "needs: not in a clean room; running without the list of packages" >&2
    exec "$@"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Set-up touches it when all is installed: installing, too, reads files.
export DIYA_SET_UP_DONE=$work/set-up-done
# A command that fails, such as a measurement on a busy machine, has used files, too.
failed=0
"$@" || failed=$?
[ -f "$DIYA_SET_UP_DONE" ] || {
    echo "needs: $* did not run scripts/setup.sh" >&2
    exit 1
}

# Files read since, but for what the commands themselves write and keep.
find / -xdev -type f -anewer "$DIYA_SET_UP_DONE" \
    -not -path '/src/*' -not -path "$HOME/*" -not -path '/tmp/*' -not -path '/var/*' \
    -not -path '/run/*' -not -path '/etc/*' -not -name '*.pyc' | LC_ALL=C sort >"$work/files"
# Debian's lists name files below /bin and /lib by either of their two paths.
dpkg-query -f '${db:Status-Status} ${Package}\n' -W | sed -n 's/^installed //p' | LC_ALL=C sort >"$work/installed"
cat /var/lib/dpkg/info/*.list >/dev/null
awk 'FNR == 1 { package = FILENAME; sub(".*/", "", package); sub("(:[a-z0-9]+)?\\.list$", "", package) }
    { print $0 "\t" package; if ($0 !~ "^/usr/") print "/usr" $0 "\t" package }' \
    /var/lib/dpkg/info/*.list | LC_ALL=C sort -t "$(printf '\t')" -k 1,1 >"$work/owners"
LC_ALL=C join -t "$(printf '\t')" -a 1 -e - -o 0,2.2 "$work/files" "$work/owners" |
    awk -F '\t' '$2 == "-" { print > stray; next } !seen[$2]++ { print $2 "\t" $1 }' \
        stray="$work/stray" | LC_ALL=C sort >"$work/used"
# Made by installation scripts, and so of the package that ran them.
if [ -f "$work/stray" ]; then
    grep -vE \
        -e '^/usr/(lib/(locale|ssl|jvm)|share/(info|mime|applications|glib-2.0)|lib/[^/]*/(gdk-pixbuf|gconv|gio))' \
        -e '/(ld.so.cache|gschemas.compiled|loaders.cache|gconv-modules.cache)' \
        -e '/(giomodule.cache|mimeinfo.cache|fonts?.cache)|alternatives' \
        "$work/stray" | cut -f 1 >"$work/unowned" || true
fi

scripts/setup.sh --names | tr ' ' '\n' | LC_ALL=C sort -u >"$work/asked"
# What the asked packages depend on, all the way down.
# shellcheck disable=SC2046 # names
apt-cache depends --recurse --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
    --no-recommends --installed $(LC_ALL=C comm -12 "$work/asked" "$work/installed") 2>/dev/null |
    grep -E '^[a-z0-9]' | LC_ALL=C sort -u >"$work/brought"
status=0
while IFS="$(printf '\t')" read -r package file; do
    if grep -qxF "$package" "$work/asked"; then
        why="asked for"
    elif grep -qxF "$package" "$base"; then
        why="in a minimal system"
    elif grep -qxF "$package" "$work/brought"; then
        why="comes with what is asked for"
    else
        why="NOBODY ASKS FOR IT"
        status=1
    fi
    printf '%-28s %-34s %s\n' "$why" "$package" "$file"
done <"$work/used" | LC_ALL=C sort >"$work/report"
grep -q 'NOBODY ASKS' "$work/report" && status=1
cat "$work/report"
if [ -s "${work}/unowned" ]; then
    echo "needs: files that belong to no package:" >&2
    head -n 20 "$work/unowned" >&2
    status=1
fi
if [ $status = 0 ]; then verdict="all are asked for"; else verdict="NOT all are asked for"; fi
echo "needs: $* opened files of $(wc -l <"$work/used") packages; $verdict"
if [ "$failed" != 0 ]; then
    echo "needs: $* itself ended with $failed" >&2
    [ "$status" != 0 ] || status=$failed
fi
exit $status
