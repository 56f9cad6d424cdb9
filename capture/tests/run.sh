#!/bin/sh
# Tests of the capture library:  run.sh LIBDIYA_CAPTURE [CASE...]
# Exits non-zero if one fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
library=$(realpath "$1")
shift
python3 "$here/includes.py"
python3 "$here/symbols.py" "$library"
python3 "$here/cases.py" "$library" "$@"
"$here/races.sh"
