#!/bin/sh
# Writes package-lock.json anew after a change of package.json.
#
# Without the addresses of packages: which registry they come from is set up on
# the machine that installs. npm can leave them out itself, but then forgets
# the packages of other platforms, and `npm ci` refuses the file.
set -eu
cd "$(dirname "$0")/.."
rm -f package-lock.json
npm install --package-lock-only --omit-lockfile-registry-resolved=false
node -e '
  const { readFileSync, writeFileSync } = require("node:fs");
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const entry of Object.values(lock.packages)) delete entry.resolved;
  writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
'
