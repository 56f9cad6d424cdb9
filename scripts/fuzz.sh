#!/bin/sh
# Feeds every reader made-up bytes for SECONDS_EACH seconds (60 by default).
#
# No sanitizer: the readers are safe Rust, so what is looked for are panics,
# endless loops and memory that does not follow from the size of the log; and
# without one the compiler that builds diya will do.
set -eu
cd "$(dirname "$0")/.."

if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz: going to install cargo-fuzz with cargo install"
    cargo install --quiet --locked cargo-fuzz
    PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH
fi
cargo run --quiet -p diya-testkit --example seeds -- fuzz/corpus/darshan
cargo run --quiet -p diya-write --example diya_seeds -- fuzz/corpus/diya_file
# Segments to begin with: what a few ordinary programs leave.
library=$(scripts/target-dir.sh)/capture/library
make --silent -C capture OUT="$library"
mkdir -p fuzz/corpus/segment
chmod 700 fuzz/corpus/segment
DIYA_DIR=$PWD/fuzz/corpus/segment LD_PRELOAD=$library/libdiya_capture.so \
    sh -c 'cat scripts/fuzz.sh | gzip >/dev/null; ls -l /usr >/dev/null
        cp scripts/fuzz.sh /tmp/; rm /tmp/fuzz.sh' || true
mkdir -p fuzz/corpus/strace fuzz/corpus/json_trace fuzz/corpus/darshan_text fuzz/corpus/recorder
cp corpus/traces/*.strace fuzz/corpus/strace/
cp corpus/traces/*.pfw fuzz/corpus/json_trace/
cp corpus/traces/recorder_*.tar fuzz/corpus/recorder/
mkdir -p fuzz/corpus/otf2
cp corpus/traces/otf2_*.tar fuzz/corpus/otf2/
mkdir -p fuzz/corpus/tmio
cp corpus/traces/tmio_* fuzz/corpus/tmio/
cp corpus/parser-output/rank0_writer.*.txt fuzz/corpus/darshan_text/
for target in $(cargo fuzz list); do
    echo "fuzz: $target"
    cargo fuzz run --sanitizer none "$target" -- \
        -max_total_time="${SECONDS_EACH:-60}" -rss_limit_mb=2048 -timeout=20
done

echo "fuzz: every log cut at 64 places, with 1000 flipped bits, with 200 overwritten blocks"
DIYA_DAMAGE=full cargo test -p diya-read --test damage

# The SQL engine takes too long to build with the fuzzer's flags; damage at
# random places, another seed each time, goes through the whole diagnosis.
seed=$(date +%s)
echo "fuzz: the diagnosis of damaged logs, DIYA_SEED=$seed"
DIYA_DAMAGE=full DIYA_SEED=$seed cargo test -p diya --test all damaged
