#!/bin/bash
# Programs behave the same with the recorder:  transparency.sh LIBRARY [PYTHON]
#
# Runs each command below without and with the recorder and compares exit code,
# output and the files it leaves; then Python's own tests of files, processes,
# maps and threads. Commands that are not installed are skipped and named.
# shellcheck disable=SC2329 # `same` calls the functions by their names
set -u
library=$(realpath "$1")
python=${2:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
skipped=""

# The same input for both runs: text, a tree, zeros with holes.
mkdir -p "$work/input/tree/deep/er"
seq 1 20000 >"$work/input/numbers.txt"
for i in 1 2 3 4 5 6 7 8; do
    seq "$i" 7 9000 >"$work/input/tree/deep/file$i"
    ln -s "../file$i" "$work/input/tree/deep/er/link$i"
done
head -c 3000000 /dev/zero >"$work/input/holes"
printf 'end' >>"$work/input/holes"

# The recorder's settings, only for the program under test.
recorded() {
    if [ "$mode" = with ]; then
        env LD_PRELOAD="$library" DIYA_DIR="$work/segments" "$@"
    else
        "$@"
    fi
}

same() { # NAME FUNCTION
    local name=$1 what=$2
    for mode in without with; do
        rm -rf "$work/run"
        cp -a "$work/input" "$work/run"
        (cd "$work/run" && $what) >"$work/$mode.out" 2>&1
        echo "exit $?" >>"$work/$mode.out"
        (
            cd "$work/run" && find . -type f ! -path '*/.git/*' | LC_ALL=C sort | xargs -d '\n' sha256sum
            find . -type l | LC_ALL=C sort
        ) >"$work/$mode.files" 2>&1
    done
    if cmp -s "$work/without.out" "$work/with.out" && cmp -s "$work/without.files" "$work/with.files"; then
        echo "same: $name"
    else
        echo "DIFFERENT: $name"
        diff "$work/without.out" "$work/with.out" | head -5
        diff "$work/without.files" "$work/with.files" | head -5
        failed=1
    fi
}

has() {
    command -v "$1" >/dev/null 2>&1 && return 0
    skipped="$skipped $1"
    return 1
}

run_tar() {
    recorded tar cf archive.tar --sort=name --mtime=@0 tree numbers.txt holes &&
        mkdir out &&
        recorded tar xf archive.tar -C out &&
        recorded tar tvf archive.tar --utc
}
run_cp() {
    recorded cp -a tree copy &&
        recorded cp --sparse=always holes holes2 &&
        recorded cp --reflink=auto numbers.txt n2 &&
        recorded mv n2 n3 &&
        recorded rm -r tree
}
run_sed() { recorded sed -i 's/1/one/g' numbers.txt && recorded sed -n '5,9p' numbers.txt; }
run_gzip() {
    recorded gzip -n numbers.txt &&
        recorded gzip -t numbers.txt.gz &&
        recorded gzip -dc numbers.txt.gz | tail -2
}
run_sort() {
    recorded sort -r numbers.txt | recorded head -3
    recorded sort -T . -S 64k -n numbers.txt | recorded md5sum
    recorded wc numbers.txt
    recorded grep -c 7 numbers.txt
    recorded awk '{s+=$1} END {print s}' numbers.txt
}
run_find() {
    recorded find . -name 'file*' | LC_ALL=C sort
    recorded ls -lR --time-style=+ tree | grep -v total | awk '{print $1,$5,$6}'
    recorded du -s --apparent-size tree
}
run_dd() {
    recorded dd if=holes of=out bs=4k count=100 seek=3 conv=notrunc status=none
    recorded dd if=numbers.txt bs=1 count=1000 status=none | recorded md5sum
    recorded split -b 10000 numbers.txt part.
    recorded tee t1 t2 <numbers.txt | recorded tail -1
}
run_shell() {
    local counts='for i in 1 2 3; do echo $i | (read x; echo got $x); done'
    recorded bash -c "$counts; exec 5>f; echo hi >&5; exec 5>&-; cat f; (exit 9)"
}
run_git() {
    export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
    local as=(-c user.name=a -c user.email=a@b -c gc.auto=0)
    recorded git init -q -b main repository &&
        cd repository &&
        cp -r ../tree . &&
        recorded git "${as[@]}" add . &&
        recorded git "${as[@]}" commit -q -m first &&
        cd .. &&
        recorded git clone -q --no-hardlinks repository clone &&
        cd clone &&
        recorded git "${as[@]}" gc -q &&
        recorded git log --oneline &&
        recorded git fsck --no-progress &&
        recorded git status --short
}
run_sqlite() {
    recorded sqlite3 data.db 'pragma journal_mode=wal; create table t(a,b);
        with recursive c(x) as (select 1 union all select x+1 from c where x<5000)
            insert into t select x,x*x from c;
        create index i on t(b); delete from t where a%3=0;
        select count(*),sum(b) from t; pragma integrity_check; vacuum;'
}
run_h5() {
    recorded "$work/h5make" data.h5 && recorded h5dump data.h5 &&
        recorded h5repack -f GZIP=4 data.h5 packed.h5 && recorded h5diff data.h5 packed.h5
    rm -f packed.h5
}
run_fortran() { recorded "$work/fortran"; }
run_cxx() { recorded "$work/cxx"; }
run_compile() {
    printf '#include <stdio.h>\nint main(void){puts("built");return 5;}\n' >p.c
    recorded cc -o p p.c && ./p
    local code=$?
    rm -f p
    return "$code"
}
run_make() {
    printf 'all: a b\na:\n\tcp numbers.txt a\nb: a\n\tsort -r a > b\n' >Makefile
    recorded make -s -j2
}

for command in tar cp sed gzip; do has "$command" && same "$command" "run_$command"; done
same "sort and others" run_sort
same "find, ls, du" run_find
same "dd, split, tee" run_dd
same "bash" run_shell
has git && same "git" run_git
has sqlite3 && same "sqlite3" run_sqlite
has make && same "make" run_make
has cc && same "cc" run_compile

if has gfortran; then
    cat >"$work/p.f90" <<'END'
program p
  integer :: i, n, total
  real(8) :: x(1000)
  open(10, file='text.dat', action='readwrite', status='replace')
  do i = 1, 2000
    write(10, '(i8,f12.4)') i, sqrt(real(i))
  end do
  rewind(10)
  total = 0
  do i = 1, 2000
    read(10, *) n
    total = total + n
  end do
  print *, total
  close(10)
  x = 3.5d0
  open(11, file='raw.dat', form='unformatted', access='stream', status='replace')
  write(11) x
  inquire(11, pos=i)
  print *, i
  close(11)
  open(12, file='direct.dat', access='direct', recl=80, form='unformatted', status='replace')
  do i = 1, 50
    write(12, rec=51 - i) x(1:10)
  end do
  close(12)
  stop 3
end program
END
    gfortran -o "$work/fortran" "$work/p.f90" && same gfortran run_fortran
fi
if has g++; then
    cat >"$work/p.cc" <<'END'
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
int main() {
    std::ofstream out("text.txt");
    for (int i = 0; i < 5000; i++) out << i << ' ' << i * 0.5 << '\n';
    out.close();
    std::fstream both("text.txt", std::ios::in | std::ios::out);
    std::string word;
    long words = 0;
    while (both >> word) words++;
    both.clear();
    both.seekp(0);
    both << "first";
    both.close();
    std::filesystem::create_directories("a/b/c");
    std::filesystem::copy_file("text.txt", "a/b/c/copy.txt");
    std::cout << words << ' ' << std::filesystem::file_size("a/b/c/copy.txt") << std::endl;
    try { std::filesystem::rename("missing", "other"); }
    catch (const std::exception &e) { std::cerr << e.what() << '\n'; }
    return 6;
}
END
    g++ -std=c++17 -o "$work/cxx" "$work/p.cc" && same g++ run_cxx
fi
if has h5dump && has h5cc; then
    cat >"$work/h5make.c" <<'END'
#include <hdf5.h>
int main(int argc, char **argv) {
    hsize_t dims[2] = {100, 50}, chunk[2] = {10, 50};
    static int values[100][50];
    for (int i = 0; i < 100; i++) for (int j = 0; j < 50; j++) values[i][j] = i * j;
    hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple(2, dims, NULL);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    H5Pset_obj_track_times(list, 0);
    hid_t data = H5Dcreate2(file, "values", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data); H5Fclose(file);
    return argc != 2;
}
END
    h5cc -o "$work/h5make" "$work/h5make.c" >/dev/null 2>&1 && same "h5dump, h5repack" run_h5
    rm -f h5make.o
fi

# --- Python's own tests ----------------------------------------------------------
if "$python" -c 'import test.test_io' 2>/dev/null; then
    mkdir "$work/python" && cd "$work/python" || exit 1
    for module in test_io test_os test_shutil test_subprocess test_mmap test_tempfile test_zipfile test_sqlite3 \
        test_threading test_fileio test_file test_posix test_pty; do
        "$python" -c "import test.$module" 2>/dev/null || {
            skipped="$skipped $module"
            continue
        }
        for mode in without with; do
            recorded timeout 600 "$python" -m test "$module" >"$work/$mode.log" 2>&1
            echo "exit $?" >"$work/$mode.out"
            grep -E '^(Result|Total tests): ' "$work/$mode.log" >>"$work/$mode.out"
            grep -E '^(FAIL|ERROR): ' "$work/$mode.log" | sort >>"$work/$mode.out"
        done
        if cmp -s "$work/without.out" "$work/with.out"; then
            echo "same: python $module ($(head -1 "$work/with.out"))"
        else
            echo "DIFFERENT: python $module"
            diff "$work/without.out" "$work/with.out" | head -5
            failed=1
        fi
        rm -rf "$work/segments"
    done
else
    # No part of Debian's Python; scripts/python-own-tests.sh runs all of them.
    echo "not here: the tests of $python itself"
fi
if [ -n "$skipped" ]; then
    echo "skipped, not installed:$skipped"
    [ "${CI:-}" != true ] || failed=1
fi
exit $failed
