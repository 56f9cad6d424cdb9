# shellcheck shell=sh disable=SC2034 # the names are for the script that sources it
# To be sourced at the root of the project: what scripts need that make pages of
# real logs and look at them. Sets `logs`, `openpmd`, `diya` and `work`, a folder
# that is removed at the end.
#
# The logs are not part of the repository: DIYA_SHARED names the folder that holds
# logs/ (../shared by default). DIYA names the diya that makes the pages.
. scripts/rust.sh
. scripts/node.sh
need_node

logs=${DIYA_SHARED:-../shared}/logs
openpmd=$(find "$logs/public/hpc-io+dxt-explorer/sample" -name 'jeanbez_8_benchmark_parallel*.darshan' 2>/dev/null |
    LC_ALL=C sort | head -n 1)
diya=${DIYA:-$(scripts/target-dir.sh)/release/diya}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d web/node_modules ] || (cd web && npm ci --no-audit --no-fund)
