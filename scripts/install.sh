#!/bin/sh
# Builds diya and copies it to $PREFIX/bin (default: $HOME/.local).
set -eu
cd "$(dirname "$0")/.."

bin=${PREFIX:-$HOME/.local}/bin
scripts/page.sh if-node
cargo xtask build --release --workspace --bin diya
target=$(scripts/target-dir.sh)
mkdir -p "$bin"
install -m 755 "$target/release/diya" "$bin/diya"
"$bin/diya" recorder "${PREFIX:-$HOME/.local}/lib/diya"
share=${PREFIX:-$HOME/.local}/share
include=${PREFIX:-$HOME/.local}/include
mkdir -p "$include"
# Regions and steps of programs: docs/guide/annotate.md.
install -m 644 capture/include/diya.h capture/include/diya.f90 "$include"
"$bin/diya" manual "$share/man/man1"
mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$bin/diya" completions bash >"$share/bash-completion/completions/diya"
"$bin/diya" completions zsh >"$share/zsh/site-functions/_diya"
"$bin/diya" completions fish >"$share/fish/vendor_completions.d/diya.fish"
echo "installed $bin/diya, man pages and completions in $share"
case ":$PATH:" in
*":$bin:"*) ;;
*) echo "$bin is not on your PATH; add it: export PATH=$bin:\$PATH" ;;
esac
