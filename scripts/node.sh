# shellcheck shell=sh
# Finds the Node.js that builds and tests the page. For sourcing, after rust.sh.

# Vite 7 runs on Node.js 20.19 and newer.
node_floor=20.19

has_node() {
    command -v npm >/dev/null 2>&1 &&
        at_least "$(node --version 2>/dev/null | sed 's/^v//' | grep . || echo 0)" "$node_floor"
}

# Puts it on PATH: the system's, or the one that scripts/setup.sh brought from PyPI
# where the system's is too old (Debian 12 has 18).
find_node() {
    has_node && return
    node_bin=$(scripts/target-dir.sh)/node-env/bin
    [ -x "$node_bin/node" ] || return 1
    PATH=$node_bin:$PATH
    export PATH
    has_node
}

need_node() {
    find_node && return
    echo "no npm and Node.js $node_floor or newer found; run scripts/setup.sh build page first" >&2
    exit 1
}

# The packages of the page, of web/package-lock.json; installed again when that changes.
need_web_packages() {
    need_node
    [ -d web/node_modules ] && [ web/node_modules/.package-lock.json -nt web/package-lock.json ] ||
        (cd web && npm ci --no-audit --no-fund)
}
