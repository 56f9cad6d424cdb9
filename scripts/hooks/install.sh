#!/bin/sh
# Installs the hooks of this folder into the clone: links, so that they stay current.
set -eu
cd "$(dirname "$0")/../.."
folder=$(git rev-parse --git-path hooks)
mkdir -p "$folder"
for hook in pre-commit commit-msg; do
    if [ -e "$folder/$hook" ] && [ ! -L "$folder/$hook" ]; then
        echo "hooks: $folder/$hook is not ours; it stays" >&2
        continue
    fi
    ln -sf "$PWD/scripts/hooks/$hook" "$folder/$hook"
    echo "hooks: installed $folder/$hook"
done
