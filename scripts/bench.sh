#!/bin/sh
# Measures recording, against bare runs of the same programs; reading and
# querying, against plain decompression and PyDarshan; and the diagnosis, against
# Drishti and PyDarshan.
#
# The large traces are not part of the repository: DIYA_SHARED names the folder
# that holds logs/generated/ (../shared by default).
set -eu
cd "$(dirname "$0")/.."

work=$(scripts/target-dir.sh)/capture
make --silent -C capture OUT="$work/library"
python3 capture/bench/run.py "$work/library/libdiya_capture.so"

logs=${DIYA_SHARED:-../shared}/logs/generated
if [ ! -d "$logs" ]; then
    echo "bench: no folder $logs; set DIYA_SHARED to the one that holds logs/generated" >&2
    exit 1
fi
cargo build --release --workspace --bins
python=$(scripts/python-env.sh)/python
release=$(scripts/target-dir.sh)/release
handed_out=$release/../x86_64-unknown-linux-gnu/dist/diya
if [ -x "$handed_out" ]; then
    set -- --binary "$handed_out" "$@"
fi
status=0
"$python" benches/readers.py --diya "$release/diya" \
    --inflate "$release/diya-bench-inflate" --logs "$logs" "$@" || status=1

# Logs in archives, against the same logs in a folder.
"$python" benches/archives.py --diya "$release/diya" || status=1

# Tiles of the timeline, over made-up calls; 100 million take 8 GB.
"$release/diya-bench-tiles" 1000000 10000000 || status=1

# Opening a log and moving about in it over HTTP. A log of 100 million calls:
# cargo run --release -p diya-testkit --example many_calls -- big_10m.darshan 10 OUT
"$python" benches/serve.py --diya "$release/diya" "$logs/lib-3.5.0/big_10m.darshan" || status=1

peers=$(scripts/python-env.sh benches/requirements.txt bench-env)/python
"$peers" benches/report.py --diya "$release/diya" --logs "$logs/.." || status=1
# The page in a browser, last: it wants the machine for itself.
DIYA="$release/diya" DIYA_SHARED="$logs/../.." scripts/web-bench.sh || status=1
exit $status
