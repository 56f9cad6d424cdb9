# shellcheck shell=sh
# Finds a Rust that can build this workspace; sourced by the other scripts.
#
# `find_rust` succeeds when a cargo and a rustc at or above the workspace's
# `rust-version` were found, and leaves PATH (and RUSTUP_TOOLCHAIN) so that
# `cargo` means that one. It installs nothing.

# The floor stands once, in Cargo.toml.
rust_floor() {
    sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' Cargo.toml
}

# at_least HAVE WANT: compares dotted numbers; 1.100 is newer than 1.94.
at_least() {
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -t . -k 1,1n -k 2,2n -k 3,3n | head -n 1)" = "$2" ]
}

# Version of a tool, or 0 when it does not run (a rustup proxy without a
# default toolchain exists on PATH and fails).
tool_version() {
    "$@" --version 2>/dev/null </dev/null | sed -n '1s/^[a-z]* \([0-9][0-9.]*\).*/\1/p' | grep . || echo 0
}

rust_is_new_enough() {
    at_least "$(tool_version cargo)" "$1" && at_least "$(tool_version rustc)" "$1"
}

find_rust() {
    floor=$(rust_floor)
    rust_is_new_enough "$floor" && return 0

    # Installed by rustup but not on PATH, as right after its installation.
    cargo_bin=${CARGO_HOME:-$HOME/.cargo}/bin
    if [ -x "$cargo_bin/cargo" ]; then
        PATH=$cargo_bin:$PATH
        export PATH
        rust_is_new_enough "$floor" && return 0
    fi

    # rustup's default is old, but another stable toolchain may do.
    if command -v rustup >/dev/null 2>&1; then
        for toolchain in $(rustup toolchain list 2>/dev/null | cut -d ' ' -f 1 | grep -E '^(stable|[0-9])'); do
            if at_least "$(tool_version rustup run "$toolchain" rustc)" "$floor"; then
                RUSTUP_TOOLCHAIN=$toolchain
                export RUSTUP_TOOLCHAIN
                return 0
            fi
        done
    fi

    # Debian's package, hidden by an older cargo earlier on PATH.
    if at_least "$(tool_version /usr/bin/cargo)" "$floor"; then
        PATH=/usr/bin:$PATH
        export PATH
        rust_is_new_enough "$floor" && return 0
    fi
    return 1
}
