#!/bin/sh
# Removes what `make install` copied to $PREFIX (default: $HOME/.local), and the
# recorder's library that `diya run` keeps in the user's cache folder.
set -eu

prefix=${PREFIX:-$HOME/.local}
removed=0
remove() {
    for file in "$@"; do
        if [ -e "$file" ]; then
            rm -rf "$file"
            echo "removed $file"
            removed=1
        fi
    done
}
remove "$prefix/bin/diya" "$prefix/bin/diya-cluster" "$prefix/lib/diya" \
    "$prefix/include/diya.h" "$prefix/include/diya.f90" \
    "$prefix"/share/man/man1/diya.1 "$prefix"/share/man/man1/diya-*.1 "$prefix/share/bash-completion/completions/diya" \
    "$prefix/share/zsh/site-functions/_diya" "$prefix/share/fish/vendor_completions.d/diya.fish" \
    "${XDG_CACHE_HOME:-$HOME/.cache}"/diya/recorder-*
if [ $removed = 0 ]; then
    echo "nothing of diya in $prefix (PREFIX=... for another folder)"
fi
