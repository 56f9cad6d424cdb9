# shellcheck shell=sh
# Which packages of the system are missing, and how they are installed; sourced by
# scripts/setup.sh. What is needed for what stands in scripts/packages.txt.

has() { command -v "$1" >/dev/null 2>&1; }

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
has_python() { python3 -c 'import ensurepip, tomllib, venv' 2>/dev/null; }

has_chromium() { [ -n "${CHROMIUM:-}" ] || [ -x /usr/bin/chromium ]; }

# lacking NAME...: those of Debian's packages that are not installed.
lacking() {
    for package in "$@"; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: .* installed' || echo "$package"
    done
}

# missing_lines PART...: the lines of scripts/packages.txt whose need is not met, with
# Debian's packages narrowed to those that are not installed.
missing_lines() {
    sed '/^#/d; s/ *| */|/g; s/ *$//' scripts/packages.txt | while IFS='|' read -r part way debian rhel suse; do
        case " $* " in *" $part "*) ;; *) continue ;; esac
        case $way in
        links) ! has_c_compiler || continue ;;
        cmd\ *) ! has "${way#cmd }" || continue ;;
        certificates) ! has_certificates || continue ;;
        python) ! has_python || continue ;;
        node)
            ! find_node || continue
            # Where Debian's is too old, one comes from PyPI, through Python.
            if has apt-get && ! at_least "$(apt_offers nodejs)" "${node_floor:?}"; then
                ! has_python || continue
                debian="python3 python3-venv"
            fi
            ;;
        chromium) ! has_chromium || continue ;;
        installed)
            has dpkg || continue
            # shellcheck disable=SC2086 # a list of names
            debian=$(lacking $debian | paste -sd ' ' -)
            [ -n "$debian" ] || continue
            ;;
        esac
        echo "$part|$debian|$rhel|$suse"
    done
}

# names LINES SYSTEM: the packages of lines as above, each once. SYSTEM: 2 for Debian,
# 3 for Rocky and RHEL, 4 for SUSE.
names() { echo "$1" | cut -d '|' -f "$2" | tr ' ' '\n' | awk 'NF && !seen[$0]++' | paste -sd ' ' -; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@" # no user can type a password here: fail instead of waiting
    fi
}

# Root, or a sudo that a person here may use.
may_install() {
    has apt-get || return 1
    [ "$(id -u)" = 0 ] || { has sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }
}

# Quiet while it works; the whole output when it does not.
apt() {
    apt_log=$(mktemp)
    apt_failed=0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 \
        -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o APT::Update::Error-Mode=any \
        -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$apt_log" 2>&1 || apt_failed=1
    if [ $apt_failed = 1 ]; then cat "$apt_log" >&2; fi
    rm -f "$apt_log"
    return $apt_failed
}

lists_are_read=no
read_package_lists() {
    [ $lists_are_read = no ] || return 0
    lists_are_read=yes
    say "reading the package lists (apt-get update)"
    apt update 2>/dev/null && return 0
    say "no network, or a package source that does not answer (apt-get update failed)"
    say "going on with the package lists of the last update"
}

# install_packages NAME...
install_packages() {
    read_package_lists
    need=$(apt-get -q --assume-no --no-install-recommends install "$@" 2>/dev/null </dev/null |
        sed -n 's/^Need to get \(.*\) of archives.*/\1 to download/p
                s/^After this operation, \(.*\) of additional.*/\1 on disk/p' | paste -sd , - | sed 's/,/, /')
    say "going to install with apt-get${need:+ ($need)}: $*"
    apt install -y --no-install-recommends --no-remove "$@"
}

# Upstream version of the package that apt would install, or 0.
apt_offers() {
    apt-cache policy "$1" 2>/dev/null |
        sed -n 's/^ *Candidate: *\([0-9]*:\)\{0,1\}\([0-9][0-9.]*\).*/\2/p' | grep . || echo 0
}
