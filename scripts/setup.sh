#!/bin/sh
# Installs what building and testing diya needs and this machine lacks.
#
#   scripts/setup.sh build           Rust, a C compiler (zstd is C)
#   scripts/setup.sh build lint      ... and rustfmt, clippy, Python and Node.js for the other formatters
#   scripts/setup.sh build fuzz      ... and a C++ compiler, for the fuzzer's own code
#   scripts/setup.sh build python    ... and Python with venv
#   scripts/setup.sh build mpi       ... and MPICH, for recording an MPI program
#   scripts/setup.sh build capture   ... and all that the tests of the recorder record
#   scripts/setup.sh build page      ... and Node.js and npm, for the page that diya carries
#   scripts/setup.sh build page web  ... and Chromium, for the tests of the page
#   scripts/setup.sh --names         only prints every package of Debian that it may ask for
#
# Says what it is going to install, and how much that is, before it does. Uses what
# is there, and removes and upgrades no package. Without root it lists the packages
# to ask for, and builds diya if it can. Which package is for what: packages.txt.
set -eu
cd "$(dirname "$0")/.."

say() { echo "set-up: $*"; }

# die REASON WAY_OUT...
die() {
    echo "set-up: $1" >&2
    shift
    for way_out in "$@"; do echo "        $way_out" >&2; done
    exit 1
}

. scripts/rust.sh
. scripts/node.sh
. scripts/packages.sh
parts="${*:-build}"
floor=$(rust_floor)
# Debian's packages with a Rust, its checker and formatter, and what fetches a Rust.
rust_packages="rustc cargo rustc-web cargo-web curl"
lint_packages="rustfmt rust-clippy rustfmt-web rust-web-clippy"

wants() {
    case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

has_lint_tools() {
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1
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
    may_install || return 1
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
    if ! has curl && ! has wget; then
        may_install && install_packages curl || return 1
    fi
    say "going to install rustup and Rust $floor from https://sh.rustup.rs into ${CARGO_HOME:-$HOME/.cargo}"
    installer=$(mktemp)
    if has curl; then
        curl --proto '=https' --tlsv1.2 --connect-timeout 20 -sSf https://sh.rustup.rs >"$installer" || return 1
    else
        wget -q --timeout=20 --tries=2 -O "$installer" https://sh.rustup.rs || return 1
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

if [ "$parts" = --names ]; then
    echo "$(grep -v '^#' scripts/packages.txt | cut -d '|' -f 3 | paste -sd ' ' -) $rust_packages $lint_packages"
    exit 0
fi

# ---- do it ----------------------------------------------------------------

# ask_for LINES: without root, what to ask the administrator for, on one line a system.
ask_for() {
    {
        say "these packages are missing, and installing them needs root:"
        echo "        Debian, Ubuntu:  apt-get install $(names "$1" 2)"
        if [ -n "$(names "$1" 3)" ]; then
            echo "        Rocky, RHEL:     dnf install $(names "$1" 3)"
            echo "        SUSE:            zypper install $(names "$1" 4)"
        fi
        if ! find_rust; then
            say "and Rust $floor or newer, which rustup installs without root: https://rustup.rs"
        fi
    } >&2
}

wants_node() { wants page || wants lint; }
wants_python() { wants python || wants lint; }

if wants_node && has apt-get && ! find_node; then read_package_lists; fi
# shellcheck disable=SC2086 # a list of names
missing=$(missing_lines $parts)
if [ -n "$missing" ]; then
    # shellcheck disable=SC2046 # a list of names
    if may_install; then
        install_packages $(names "$missing" 2) ||
            die "could not install: $(names "$missing" 2)" \
                "without a network, these have to be brought here, and Rust $floor and the crates of Cargo.lock, too" \
                "else, as root: apt-get install $(names "$missing" 2), then run the same command again"
    else
        ask_for "$missing"
        # A compiler is all that diya itself needs: the rest serves demo and tests.
        if has_c_compiler && has make; then
            find_rust || install_rust
            say "building diya without them"
            scripts/build.sh
            die "diya is built, but this command needs the packages above too" \
                "$(scripts/target-dir.sh)/debug/diya --help"
        fi
        exit 1
    fi
fi
if wants_python && ! has_python; then
    die "tests and linters need Python 3.11 or newer with venv; here is $(python3 --version 2>&1)" \
        "put a newer python3 first on PATH, then run the same command again"
fi
find_rust || install_rust
# Behind Rust: cargo says where the build is.
if wants_node && ! find_node; then
    say "going to install Node.js from PyPI beside the build"
    scripts/python-env.sh web/node-requirements.txt node-env >/dev/null || true # judged by what is there now
    find_node || die \
        "the page and its tests need npm and Node.js $node_floor or newer; here is $(node --version 2>&1)" \
        "put a newer node first on PATH (https://nodejs.org/), then run the same command again"
fi
if wants lint && ! has_lint_tools; then install_lint_tools; fi

# Libraries in Rust come from their registry; say at once when that does not answer.
if ! cargo fetch --quiet --locked --offline 2>/dev/null; then
    say "going to download libraries in Rust: $(grep -c '^source' Cargo.lock) crates, some 40 MB"
    CARGO_HTTP_TIMEOUT=${CARGO_HTTP_TIMEOUT:-20} CARGO_NET_RETRY=${CARGO_NET_RETRY:-2} \
        cargo fetch --quiet --locked ||
        die "no network, or the registry of crates does not answer: libraries in Rust are missing" \
            "where there is one: cargo fetch --locked, then copy ${CARGO_HOME:-$HOME/.cargo}/registry here"
fi

tools="$(cargo --version | cut -d ' ' -f 1,2), $(cc --version | head -n 1)"
if wants_python; then tools="$tools, $(python3 --version)"; fi
echo "set-up: ready: $tools"
# For scripts/needs.sh: what is read from here on is used, not installed.
if [ -n "${DIYA_SET_UP_DONE:-}" ]; then touch "$DIYA_SET_UP_DONE"; fi
