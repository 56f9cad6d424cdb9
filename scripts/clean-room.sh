#!/bin/bash
# Runs a command on a copy of this clone in a minimal Debian made for the run:
# git, make and certificates, nothing else. What set-up forgets to install is not
# there, and the command fails as it would for a new user.
#
#   scripts/clean-room.sh make test
#   SUITE=trixie scripts/clean-room.sh make demo     Debian 13 instead of Debian 12
#   COLD=1 scripts/clean-room.sh make demo           without the caches of earlier runs
#   scripts/clean-room.sh --possible                 only says, by exit code, whether it can
#
# Needs root and debootstrap (which apt-get brings). The copy stands at /src/main,
# test data (DIYA_SHARED, else ../shared) read-only at /src/shared. Of the host the
# room sees only that, its own caches (below ~/.cache/diya/clean-room), and how this
# machine reaches the package registries: settings and certificates.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${SUITE:-bookworm}
home=${CLEAN_ROOM_HOME:-${HOME:?}/.cache/diya/clean-room}
cache=${ROOM_CACHE:-$home/$suite}
# Home of the user inside, without the first slash.
inside=root
say() { echo "clean room: $*"; }

# Mounting needs a capability that root lacks in many containers: try it.
possible() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
        unshare --mount --pid --fork sh -c 'mount -t tmpfs none /mnt' 2>/dev/null
}

# ---- the inside: everything below runs in namespaces of its own -------------

if [ "${1:-}" = --inside ]; then
    room=$2
    shift 2
    mount --make-rprivate /
    mount --bind "$room" "$room"
    # Every reading of a file leaves its time: scripts/needs.sh lists what was used.
    mount -o remount,bind,strictatime "$room"
    for part in "cargo:$inside/.cargo" "npm:$inside/.npm" "pip:$inside/.cache/pip" \
        "target:$inside/.cache/diya/target" apt:var/cache/apt/archives; do
        mkdir -p "$cache/${part%%:*}" "$room/${part#*:}"
        mount --bind "$cache/${part%%:*}" "$room/${part#*:}"
    done
    mount --bind "$cache/tree" "$room/src/main"
    if [ -d "${DIYA_SHARED:-../shared}" ]; then
        mkdir -p "$room/src/shared"
        mount --bind -o ro "${DIYA_SHARED:-../shared}" "$room/src/shared"
        mount -o remount,bind,ro "$room/src/shared"
    fi
    mount -t proc proc "$room/proc"
    mount -t sysfs -o ro sysfs "$room/sys"
    mount -t tmpfs -o mode=755 dev "$room/dev"
    for node in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 "$room/dev/${node%%:*}" c 1 "${node#*:}"
    done
    mknod -m 666 "$room/dev/tty" c 5 0
    ln -s /proc/self/fd "$room/dev/fd"
    for stream in stdin:0 stdout:1 stderr:2; do
        ln -s "/proc/self/fd/${stream#*:}" "$room/dev/${stream%%:*}"
    done
    mkdir "$room/dev/pts" "$room/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$room/dev/pts"
    ln -s pts/ptmx "$room/dev/ptmx"
    mount -t tmpfs -o mode=1777 shm "$room/dev/shm"
    exec chroot "$room" /usr/bin/env -i "${@}"
fi

if [ "${1:-}" = --possible ]; then
    possible
    exit
fi
possible || {
    echo "clean room: needs root that may mount, and apt-get" >&2
    exit 1
}
if ! command -v debootstrap >/dev/null; then
    say "going to install with apt-get: debootstrap"
    apt-get update -qq && apt-get install -qq -y --no-install-recommends debootstrap >/dev/null
fi

# ---- the base, made once and kept ---------------------------------------------

base=$cache/base.tar
# Where this machine gets Debian's packages from: a mirror, if it has one.
mirror() { # mirror PATTERN
    apt-get indextargets --format '$(CREATED_BY) $(RELEASE) $(REPO_URI)' 2>/dev/null |
        awk -v pattern="$1" '$1 == "Packages" && $2 ~ pattern { print $3; exit }' | grep . || {
        echo "clean room: apt-get of this machine has no source of Debian that matches $1" >&2
        return 1
    }
}
# Older than a month, its packages would all be replaced in each run.
if [ ! -f "$base" ] || [ -n "$(find "$base" -mtime +30)" ]; then
    started=$(date +%s)
    say "making a minimal Debian ($suite) with git, make and certificates"
    mkdir -p "$cache"
    debian=$(mirror '^(bookworm|trixie)$')
    security=$(mirror -security)
    making=$(mktemp -d "$cache/making.XXXXXX")
    debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$making" "$debian" \
        >"$cache/debootstrap.log" 2>&1 || {
        tail -n 20 "$cache/debootstrap.log" >&2
        rm -rf "$making"
        exit 1
    }
    # The suites that an ordinary installation has.
    printf '%s\n' "deb $debian $suite main" "deb $debian $suite-updates main" \
        "deb $security $suite-security main" >"$making/etc/apt/sources.list"
    # Nothing here outlives the run: no waiting for the disk.
    echo force-unsafe-io >"$making/etc/dpkg/dpkg.cfg.d/unsafe-io"
    rm -rf "$making"/var/cache/apt/archives/*.deb "$making"/var/lib/apt/lists/*
    tar -C "$making" -cf "$base.part" . && mv "$base.part" "$base"
    rm -rf "$making"
    say "made in $(($(date +%s) - started)) s"
fi

# ---- one room for one run --------------------------------------------------------

if [ -n "${COLD:-}" ]; then
    cache=$(mktemp -d "$home/cold.XXXXXX")
fi
# What a run left that was killed.
find "$home" -maxdepth 1 \( -name 'room.*' -o -name 'cold.*' \) -mtime +1 \
    -exec rm -rf --one-file-system {} +
work=$(mktemp -d "$home/room.XXXXXX")
# shellcheck disable=SC2329 # the trap calls it
clean_up() {
    rm -rf --one-file-system "$work"
    if [ -n "${COLD:-}" ]; then rm -rf --one-file-system "$cache"; fi
}
trap clean_up EXIT
trap 'exit 143' INT TERM
room=$work/root
mkdir -p "$room"
tar -C "$room" -xf "$base"
chmod 755 "$room" # the base was made in a private folder

mkdir -p "$room/var/lib/diya-clean-room"
awk '/^Package: / { print $2 }' "$room/var/lib/dpkg/status" >"$room/var/lib/diya-clean-room/packages"

# How this machine reaches the registries: names, settings of clients, certificates.
cp /etc/resolv.conf /etc/hosts "$room/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$room/etc/ssl/certs/" 2>/dev/null || true
apt-config dump 2>/dev/null |
    grep -E '^Acquire::([a-z]+::)?(Proxy|Check-|Verify-|CaInfo|Retries|Timeout)' \
        >"$room/etc/apt/apt.conf.d/99host" || true
mkdir -p "$cache/cargo" "$cache/target" "$room/$inside/.config/pip"
for settings in ".cargo/config.toml:$cache/cargo/config.toml" ".npmrc:$room/$inside/.npmrc" \
    ".config/pip/pip.conf:$room/$inside/.config/pip/pip.conf"; do
    if [ -f "$HOME/${settings%%:*}" ]; then cp "$HOME/${settings%%:*}" "${settings#*:}"; fi
done
if [ -f /etc/pip.conf ]; then cp /etc/pip.conf "$room/etc/"; fi
clients='^([a-z]+_proxy|[A-Z]+_PROXY|'
clients+='SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|GIT_SSL_CAINFO|NODE_EXTRA_CA_CERTS|'
clients+='PIP_(CERT|INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|DEFAULT_TIMEOUT)|'
clients+='(NPM_CONFIG|npm_config)_[A-Za-z_]+|'
clients+='CARGO_(HTTP|NET|REGISTRIES|REGISTRY|SOURCE)_[A-Z_]+|OPENBLAS_[A-Z0-9_]+)='
handed=()
while IFS= read -r setting; do handed+=("$setting"); done < <(env | grep -E "$clients" || true)
# What the person asked of the command, not of the machine.
for name in CI SECONDS_EACH TERM; do
    if [ -n "${!name:-}" ]; then handed+=("$name=${!name}"); fi
done

# A run that was cut off (a kill, a machine that stopped) leaves pieces of a build
# that cargo takes for whole: its last ten minutes are thrown away, and no more, or
# the next run would build everything again. One run at a time: two would build
# different clones at the same path into the same folder.
exec 9>"$cache/lock"
flock --nonblock 9 || {
    say "waits for another run of this suite"
    flock 9
}
if [ -e "$cache/running" ]; then
    say "an earlier run was cut off: removing what it built in its last ten minutes"
    last=$(find "$cache/target" -type f -printf '%T@\n' | sort -n | tail -n 1)
    last=${last%%.*}
    touch -d "@$((${last:-600} - 600))" "$cache/whole"
    find "$cache/target" ! -type d -newer "$cache/whole" -newer "$cache/running" -delete
fi
# The commit with what was changed since, as a new user's clone has it. Its files
# stay in the cache: cargo tells what changed by times, and only files whose content
# is another than in the last run are written anew. Git's own part is cloned each time.
tree=$cache/tree
rm -rf "$work/clone"
git clone --quiet --no-hardlinks --no-checkout . "$work/clone"
git -C "$work/clone" remote remove origin
mkdir -p "$tree"
if [ -f "$tree/.git/index" ]; then cp "$tree/.git/index" "$work/clone/.git/index"; fi
rm -rf "$tree/.git"
mv "$work/clone/.git" "$tree/.git"
git -C "$tree" reset --quiet --hard
# The page stays, too: scripts/page.sh makes it anew where its sources are others.
git -C "$tree" clean --quiet -ffdx --exclude=/web/dist
git ls-files -z --modified --others --exclude-standard --deduplicate |
    while IFS= read -r -d '' file; do
        if [ -e "$file" ] || [ -L "$file" ]; then
            mkdir -p "$tree/$(dirname "$file")"
            # Its time is now: a change made long ago is new to the cache.
            cp -a --no-preserve=timestamps "$file" "$tree/$file"
        else
            rm -f "$tree/$file"
        fi
    done
chown -R 0:0 "$tree"
mkdir -p "$room/src/main"

touch "$cache/running"

say "Debian $suite, $([ -z "${COLD:-}" ] && echo "caches of earlier runs" || echo "no caches"): $*"
started=$(date +%s)
status=0
unshare --mount --pid --fork --kill-child \
    env ROOM_CACHE="$cache" "$PWD/scripts/clean-room.sh" --inside "$room" \
    HOME="/$inside" USER=root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    LANG=C.UTF-8 DIYA_CLEAN_ROOM="$suite" CARGO_TARGET_DIR="/$inside/.cache/diya/target" \
    CARGO_INCREMENTAL=0 "${handed[@]}" \
    sh -c 'cd /src/main && exec "$@"' sh "$@" </dev/null 9>&- || status=$?
rm -f "$cache/running"
say "ended with $status after $(($(date +%s) - started)) s"
exit $status
