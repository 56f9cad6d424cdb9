#!/bin/sh
# Tests of the library:  run.sh LIBDIYA_APPLY [SEEDS]
# Without SEEDS: 100 of them, and a benchmark at the end.
# Exits non-zero if one fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
library=$(realpath "$1")
seeds=${2:-100}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
: "${CC:=cc}"
for program in actions programs bench; do
    "$CC" -O1 -g -Wall -Wextra -Werror -o "$folder/$program" "$here/$program.c" -lpthread
done
"$CC" -shared -fPIC -O1 -Wall -Wextra -Werror -o "$folder/told.so" "$here/told.c"
python3 "$here/cases.py" "$library" "$folder"
python3 "$here/actions.py" "$library" "$folder/actions" "$seeds"
"$here/sanitized.sh" "$folder"
[ -n "${2:-}" ] || python3 "$here/bench.py" "$library" "$folder/bench" "$folder"
