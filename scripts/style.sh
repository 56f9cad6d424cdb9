#!/bin/bash
# Formatters and linters of all languages but Rust, whose tools come with its compiler.
#
#   scripts/style.sh                 all files of the repository
#   scripts/style.sh FILE...         these, as the commit hook does
#   scripts/style.sh --fix [FILE]... formats them, and mends what ruff can mend
#
# The tools and their versions stand in scripts/lint-requirements.txt (from PyPI) and
# web/package.json. lab/ follows no style, and texts of others and generated files have theirs.
set -euo pipefail
cd "$(dirname "$0")/.."

is_fix=
if [ "${1:-}" = --fix ]; then
    is_fix=yes
    shift
fi
. scripts/rust.sh
find_rust || true # scripts/target-dir.sh asks cargo
tools=$(scripts/python-env.sh scripts/lint-requirements.txt lint-env)
target=$(scripts/target-dir.sh)

all=() python=() c=() shell=() web=()
while IFS= read -r file; do
    # A link is its target; a file that was removed is gone.
    if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
    case $file in
    lab/* | corpus/* | */generated/* | web/dist/*) continue ;;
    esac
    all+=("$file")
    case $file in
    *.py | *.pyi) python+=("$file") ;;
    # Tests name lines of the programs in workloads/: they stay as they are.
    capture/*.[ch] | apply/*.[ch] | blockio/*.[ch]) c+=("$file") ;;
    *.sh) shell+=("$file") ;;
    web/*.ts | web/*.mts | web/*.mjs | web/*.svelte) web+=("${file#web/}") ;;
    *.*) ;;
    *) if read -r line <"$file" && [[ $line =~ ^#!.*sh( |$) ]]; then shell+=("$file"); fi ;;
    esac
done < <(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else git -c safe.directory='*' ls-files; fi) 2>/dev/null

failed=0
# run TOOL ARGUMENT... -- FILE...: nothing where there is no file.
run() {
    command=()
    while [ "$1" != -- ]; do
        command+=("$1")
        shift
    done
    shift
    if [ $# -gt 0 ] && ! printf '%s\0' "$@" | xargs -0 "${command[@]}"; then
        echo "style: ${command[0]##*/} found something" >&2
        failed=1
    fi
}

if [ -n "$is_fix" ]; then
    run "$tools/ruff" check --quiet --force-exclude --fix -- "${python[@]}"
    run "$tools/ruff" format --quiet --force-exclude -- "${python[@]}"
    run "$tools/clang-format" -i -- "${c[@]}"
    run "$tools/shfmt" -i 4 -w -- "${shell[@]}"
else
    run "$tools/ruff" check --quiet --force-exclude -- "${python[@]}"
    run "$tools/ruff" format --quiet --force-exclude --check -- "${python[@]}"
    run "$tools/clang-format" --dry-run -Werror -- "${c[@]}"
    run "$tools/shfmt" -i 4 -d -- "${shell[@]}"
fi
run "$tools/shellcheck" -- "${shell[@]}"
run "$tools/typos" --force-exclude -- "${all[@]}"
if [ ${#web[@]} -gt 0 ]; then
    . scripts/node.sh
    need_web_packages >/dev/null
    mode=--check
    if [ -n "$is_fix" ]; then mode=--write; fi
    cd web
    run node_modules/.bin/prettier "$mode" --log-level warn --cache --cache-strategy content \
        --cache-location "$target/prettier-cache" -- "${web[@]}"
fi
exit $failed
