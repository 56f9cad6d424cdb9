#!/bin/sh
# Installs what building and testing diya needs and this machine lacks.
#
#   scripts/setup.sh build           Rust, a C compiler (zstd is C)
#   scripts/setup.sh build lint      ... and rustfmt, clippy
#   scripts/setup.sh build python    ... and Python with venv
#   scripts/setup.sh build mpi       ... and MPICH, for recording an MPI program
#   scripts/setup.sh build capture   ... and all that the tests of the recorder record
#   scripts/setup.sh build web       ... and Node.js, npm and Chromium, for the page and its tests
#
# Says what it is going to install before it does, uses what is there, and
# leaves alone what others installed: it removes and upgrades no package.
set -eu
cd "$(dirname "$0")/.."
. scripts/rust.sh
. scripts/node.sh
parts="${*:-build}"
floor=$(rust_floor)

say() { echo "set-up: $*"; }

# die REASON WAY_OUT...
die() {
    echo "set-up: $1" >&2
    shift
    for way_out in "$@"; do echo "        $way_out" >&2; done
    exit 1
}

wants() {
    case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# ---- what is there --------------------------------------------------------

# Compiling is not enough: without the C library's headers and start files cc
# runs, and linking fails.
has_c_compiler() {
    probe=$(mktemp)
    linked=0
    printf '#include <stdlib.h>\nint main(void) { return 0; }\n' |
        cc -x c - -o "$probe" 2>/dev/null || linked=1
    rm -f "$probe"
    return $linked
}

has_certificates() {
    [ -n "${SSL_CERT_FILE:-}" ] || [ -e /etc/ssl/certs/ca-certificates.crt ] ||
        [ -e /etc/pki/tls/certs/ca-bundle.crt ] || [ -e /etc/ssl/cert.pem ]
}

# The comparison with PyDarshan reads TOML, which Python does since 3.11.
has_python() {
    python3 -c 'import ensurepip, tomllib, venv' 2>/dev/null
}

has_lint_tools() {
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1
}

has_chromium() {
    [ -n "${CHROMIUM:-}" ] || [ -x /usr/bin/chromium ]
}

# What the recorder is tested with, by Debian's names: two MPIs side by side,
# parallel HDF5 for both, PnetCDF (Debian's is Open MPI's), NetCDF, a Fortran and
# a C++ compiler, and programs of every day.
capture_packages="mpich libmpich-dev openmpi-bin libopenmpi-dev libhdf5-mpich-dev \
    libhdf5-openmpi-dev libhdf5-dev libpnetcdf-dev libnetcdf-dev gfortran g++ hdf5-tools \
    sqlite3 git gzip make pkg-config procps util-linux"

# lacking NAME...: those of the packages that are not installed.
lacking() {
    for package in "$@"; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: .* installed' || echo "$package"
    done
}

# ---- packages of the system -----------------------------------------------

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif ! has sudo; then
        echo "set-up: installing packages needs root, and there is no sudo" >&2
        return 1
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@" # nobody is there to type a password: fail, do not hang
    fi
}

# Quiet while it works; the whole output when it does not.
apt() {
    apt_log=$(mktemp)
    apt_failed=0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" \
        </dev/null >"$apt_log" 2>&1 || apt_failed=1
    if [ $apt_failed = 1 ]; then cat "$apt_log" >&2; fi
    rm -f "$apt_log"
    return $apt_failed
}

lists_are_read=no
read_package_lists() {
    if [ $lists_are_read = no ]; then
        say "reading the package lists (apt-get update)"
        apt update || say "that failed; going on with the lists that are there"
        lists_are_read=yes
    fi
}

# install_packages NAME...
install_packages() {
    if ! has apt-get; then
        echo "set-up: no apt-get here; needed, by Debian's names: $*" >&2
        return 1
    fi
    read_package_lists
    say "going to install with apt-get: $*"
    apt install -y --no-install-recommends --no-remove "$@"
}

# Upstream version of the package that apt would install, or 0.
apt_offers() {
    apt-cache policy "$1" 2>/dev/null |
        sed -n 's/^ *Candidate: *\([0-9]*:\)\{0,1\}\([0-9][0-9.]*\).*/\2/p' | grep . || echo 0
}

# ---- the ways to a Rust, in the order they are tried ----------------------

rust_from_present_rustup() {
    has rustup || return 1
    # The floor itself, not "stable": that leaves the user's own stable alone.
    say "going to install with rustup: Rust $floor"
    rustup toolchain install "$floor" --profile minimal --no-self-update </dev/null && find_rust
}

# Debian's `*-web` packages are the newer Rust that its stable release carries
# to build browsers.
rust_from_apt() {
    has apt-get || return 1
    read_package_lists
    if at_least "$(apt_offers rustc)" "$floor"; then
        install_packages rustc cargo
    elif at_least "$(apt_offers rustc-web)" "$floor"; then
        install_packages rustc-web cargo-web
    else
        say "apt-get has no Rust $floor"
        return 1
    fi && find_rust
}

rust_from_new_rustup() {
    if ! has curl && ! has wget; then install_packages curl || return 1; fi
    say "going to install rustup and Rust $floor from https://sh.rustup.rs into ${CARGO_HOME:-$HOME/.cargo}"
    installer=$(mktemp)
    if has curl; then
        curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs >"$installer" || return 1
    else
        wget -qO "$installer" https://sh.rustup.rs || return 1
    fi
    sh "$installer" -y --no-modify-path --profile minimal --default-toolchain "$floor" </dev/null
    rm -f "$installer"
    find_rust
}

install_rust() {
    say "no Rust $floor or newer here"
    rust_from_present_rustup || rust_from_apt || rust_from_new_rustup ||
        die "no way to a Rust $floor or newer worked: rustup, Debian's rustc and rustc-web, https://sh.rustup.rs" \
            "install one by hand (https://www.rust-lang.org/tools/install), then run the same command again" \
            "where Debian's older rustc is in the way: apt-get install rustc-web cargo-web replaces it"
}

# rustfmt and clippy come from where the compiler came from: others do not fit it.
install_lint_tools() {
    case "$(command -v cargo)" in
    /usr/bin/cargo)
        if dpkg -s cargo-web >/dev/null 2>&1; then
            install_packages rustfmt-web rust-web-clippy
        else
            install_packages rustfmt rust-clippy
        fi
        ;;
    *)
        say "going to add with rustup: rustfmt clippy"
        rustup component add rustfmt clippy </dev/null
        ;;
    esac || true # judged by what is there now
    has_lint_tools || die "cargo fmt and cargo clippy are missing" \
        "rustup component add rustfmt clippy, or Debian's rustfmt and rust-clippy packages"
}

# ---- do it ----------------------------------------------------------------

packages=""
has_c_compiler || packages="$packages gcc libc6-dev"
has make || packages="$packages make"
if wants mpi && ! has mpicc.mpich; then packages="$packages mpich libmpich-dev"; fi
if wants capture && has dpkg; then
    # shellcheck disable=SC2086 # a list of names
    packages="$packages $(lacking $capture_packages | tr '\n' ' ')"
fi
packages=$(echo $packages) # one blank between names, none without names
has_certificates || packages="$packages ca-certificates"
if wants python && ! has_python; then packages="$packages python3 python3-venv"; fi
if wants web; then
    if ! find_node; then
        if has apt-get; then read_package_lists; fi
        if has apt-get && at_least "$(apt_offers nodejs)" "$node_floor"; then
            packages="$packages nodejs npm"
        elif ! has_python; then
            packages="$packages python3 python3-venv"
        fi
    fi
    if ! has_chromium; then packages="$packages chromium"; fi
    # Views are compared with how they looked, in this font.
    if has dpkg && [ -n "$(lacking fonts-dejavu-core)" ]; then packages="$packages fonts-dejavu-core"; fi
fi
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086 # a list of names
    install_packages $packages ||
        die "could not install: $packages" "as root: apt-get install $packages" "then run the same command again"
fi
if wants python && ! has_python; then
    die "the tests need Python 3.11 or newer with venv; here is $(python3 --version 2>&1)" \
        "put a newer python3 first on PATH, then run the same command again"
fi
if wants web && ! find_node; then
    say "going to install Node.js from PyPI beside the build"
    scripts/python-env.sh web/node-requirements.txt node-env >/dev/null || true # judged by what is there now
    find_node || die "the page and its tests need npm and Node.js $node_floor or newer; here is $(node --version 2>&1)" \
        "put a newer node first on PATH (https://nodejs.org/), then run the same command again"
fi
find_rust || install_rust
if wants lint && ! has_lint_tools; then install_lint_tools; fi

echo "set-up: ready: $(cargo --version | cut -d ' ' -f 1,2), $(cc --version | head -n 1)$(if wants python; then echo ", $(python3 --version)"; fi)"
