"""Calls that go past the C library's symbols: by number, and by handles of libraries."""

from __future__ import annotations

import re
import subprocess

from harness import HERE, Bench, equal

PYTHON = "/usr/bin/python3"

BY_NUMBER = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
numbers = {
    "x86_64": dict(read=0, write=1, close=3, lseek=8, pread=17, pwrite=18, writev=20, fsync=74, openat=257, dup=32),
    "aarch64": dict(read=63, write=64, close=57, lseek=62, pread=67, pwrite=68, writev=66, fsync=82, openat=56, dup=23),
}[os.uname().machine]
def converted(a):
    if isinstance(a, bytes): return ctypes.c_char_p(a)
    return a if isinstance(a, (ctypes.Array, ctypes.c_void_p)) else ctypes.c_long(a)
def call(name, *arguments):
    libc.syscall.restype = ctypes.c_long
    return libc.syscall(ctypes.c_long(numbers[name]), *map(converted, arguments))
room = ctypes.create_string_buffer(100)
fd = call("openat", -100, sys.argv[1].encode(), os.O_RDWR | os.O_CREAT, 0o600)
assert call("write", fd, b"x" * 60, 60) == 60
assert call("lseek", fd, 10, 0) == 10
assert call("read", fd, room, 100) == 50
assert call("pwrite", fd, b"y" * 8, 8, 1000) == 8
assert call("pread", fd, room, 8, 1000) == 8 and room.raw[:8] == b"y" * 8
other = call("dup", fd)
assert call("fsync", other) == 0
assert call("close", other) == 0 and call("close", fd) == 0
assert call("write", fd, b"z", 1) == -1 and ctypes.get_errno() == 9
assert call("read", 0, ctypes.c_void_p(8), 8) in (-1, 0)
assert call("openat", -100, ctypes.c_void_p(8), 0, 0) == -1 and ctypes.get_errno() == 14
"""

BY_HANDLE = """
import ctypes, sys
for name in ("libc.so.6", None):
    libc = ctypes.CDLL(name)
    fd = libc.open(sys.argv[1].encode(), 0o1101, 0o600)
    assert libc.write(fd, b"x" * 30, 30) == 30
    assert libc.close(fd) == 0
"""

BY_DLSYM = r"""
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
typedef long writer(int, const void *, unsigned long);
int main(int argc, char **argv)
{
    int fd = open(argv[1], O_WRONLY | O_CREAT, 0600);
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_LOCAL);
    dlerror();
    writer *one = (writer *)dlsym(libc, "write"), *two = (writer *)dlsym(RTLD_DEFAULT, "write");
    writer *next = (writer *)dlsym(RTLD_NEXT, "write");
    if (dlerror() != NULL || one(fd, "1", 1) != 1 || two(fd, "2", 1) != 1 || next(fd, "3", 1) != 1)
        return 1;
    if (dlsym(libc, "strlen") == NULL || dlerror() != NULL)
        return 2;
    return dlsym(libc, "no_such_function") == NULL && dlerror() != NULL ? 0 : 3;
}
"""


PLUGIN = """
#include <unistd.h>
int save(int fd) {
    return write(fd, "12345678", 8) == 8
        && (*(long (*volatile)(int, const void *, unsigned long))write)(fd, "1", 1) == 1;
}
"""

DEEP = """
import ctypes, os, sys
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT, 0o600)
for path in sys.argv[2:]:
    plugin = ctypes.CDLL(path, mode=os.RTLD_DEEPBIND | os.RTLD_NOW)
    assert plugin.save(fd) == 1 and plugin.save(fd) == 1
"""


def python(bench: Bench, code: str) -> list:
    done = subprocess.run(
        [PYTHON, "-c", code, bench.file],
        env=bench.environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    equal((done.returncode, done.stderr), (0, ""), "exit code and errors")
    return [c for c in bench.read()[0].calls if c.path == str(bench.file)]


def system_calls_by_number_are_recorded(bench: Bench) -> None:
    found = [(c.function, c.offset, c.done) for c in python(bench, BY_NUMBER) if c.function not in ("lseek", "fcntl")]
    wanted = [("openat", -1, 0), ("write", 0, 60), ("read", 10, 50), ("pwrite", 1000, 8), ("pread", 1000, 8)]
    equal(found, wanted + [("dup", -1, 0), ("fsync", -1, 0), ("close", -1, 0), ("close", -1, 0)], "calls")


def calls_by_the_handle_of_a_library_are_recorded(bench: Bench) -> None:
    found = [(c.function, c.done) for c in python(bench, BY_HANDLE)]
    equal(found, [("open", 0), ("write", 30), ("close", 0)] * 2, "calls")


def dlsym_gives_the_hook_and_leaves_no_error(bench: Bench) -> None:
    source = bench.directory / "dlsym.c"
    source.write_text(BY_DLSYM)
    subprocess.run(["cc", "-w", "-D_GNU_SOURCE", "-o", bench.directory / "dlsym", source, "-ldl"], check=True)
    done = subprocess.run([bench.directory / "dlsym", bench.file], env=bench.environment(), timeout=60)
    equal(done.returncode, 0, "exit code")
    equal([c.done for c in bench.writes()], [1, 1, 1], "writes")


def libraries_that_are_bound_deeply_are_recorded(bench: Bench) -> None:
    (bench.directory / "plugin.c").write_text(PLUGIN)
    plugins = []
    for name, flags in (("lazy", ["-Wl,-z,lazy"]), ("locked", ["-Wl,-z,relro,-z,now"])):
        plugins.append(bench.directory / f"{name}.so")
        command = ["cc", "-w", "-O1", "-shared", "-fPIC", *flags, "-o", plugins[-1], bench.directory / "plugin.c"]
        subprocess.run(command, check=True)
    done = subprocess.run([PYTHON, "-c", DEEP, bench.file, *plugins], env=bench.environment(), timeout=60)
    equal(done.returncode, 0, "exit code")
    equal([c.done for c in bench.writes()], [8, 1] * 4, "writes")


def every_row_of_the_guide_names_a_test(bench: Bench) -> None:
    root = HERE.parents[1]
    rows = (
        (root / "docs" / "guide" / "record-a-job.md").read_text().split("| what a program does |")[1].split("\n\n")[0]
    )
    named = [re.fullmatch(r"`(\w+)`", row.split("|")[-2].strip())[1] for row in rows.splitlines()[2:]]
    sources = [
        *HERE.rglob("*.py"),
        root / "tests" / "capture" / "losses.py",
        root / "crates" / "diya-ptrace" / "tests" / "ptrace.rs",
        *(root / "crates" / "diya-launch" / "src").rglob("*.rs"),
    ]
    tests = set(re.findall(r"(?:def|fn) (\w+)\(", "\n".join(path.read_text() for path in sources)))
    equal([test for test in named if test not in tests], [], "tests that are not there")
    equal(len(named) > 20, True, "rows")
