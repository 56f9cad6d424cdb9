#!/bin/sh
# Makes sure that the official JSON schema of SARIF 2.1.0 is there, and prints
# where: OASIS publishes it, an npm package of Microsoft's carries it.
set -eu
cd "$(dirname "$0")/.."

package=@microsoft/jest-sarif@1.0.0-beta.0
inside=package/lib/schemas/sarif-2.1.0-rtm.5.json
sum=2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8
folder=$(scripts/target-dir.sh)/sarif
schema=$folder/sarif-2.1.0-rtm.5.json
if ! printf '%s  %s\n' "$sum" "$schema" | sha256sum --check --status 2>/dev/null; then
    rm -rf "$folder"
    mkdir -p "$folder"
    archive=$(npm pack --silent --pack-destination "$folder" "$package")
    tar -xzOf "$folder/$archive" "$inside" >"$schema"
    printf '%s  %s\n' "$sum" "$schema" | sha256sum --check --status || {
        echo "sarif-schema: $package holds another schema than it did" >&2
        exit 1
    }
fi
echo "$schema"
