"""Which file a path means, and which position a descriptor has."""

from __future__ import annotations

import os
import subprocess

from harness import Bench, equal

PYTHON = "/usr/bin/python3"

# Opens each path; the last ones end where memory ends that may be read.
OPENS = """
import ctypes, mmap, os, sys
for path in sys.stdin.read().split("\\n"):
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        pass
library = ctypes.CDLL(None)
library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
library.open.argtypes = [ctypes.c_void_p, ctypes.c_int]
pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
assert library.mprotect(start + mmap.PAGESIZE, mmap.PAGESIZE, 0) == 0
for path in sys.argv[1:]:
    end = path.encode() + b"\\0"
    place = start + mmap.PAGESIZE - len(end)
    ctypes.memmove(place, end, len(end))
    assert library.open(place, os.O_RDONLY) < 0
os._exit(0)
"""


def paths_are_those_without_detours(bench: Bench) -> None:
    top = str(bench.directory)
    odd = ["//", "///", "/./", "/../", "/.hidden/", "/..two/", "/a.b/", "/a./"]
    paths = [f"{top}{between}{'x' * length}" for between in odd for length in (1, 2, 13, 14, 15, 16, 17)]
    paths += [f"{top}/{'y' * length}{end}" for length in range(1, 40) for end in ("", "/", "/.", "/..", ".")]
    paths += [
        "/",
        "//",
        "/.",
        "/..",
        f"{top}/{'long/' * 300}end",
        f"{top}//{'long/' * 300}end",
        "relative",
        "./relative",
    ]
    ends = [f"/{'z' * length}" for length in range(1, 36)] + ["/zz/.", "/z/"]
    done = subprocess.run(
        [PYTHON, "-I", "-S", "-c", OPENS, *ends],
        input="\n".join(paths),
        text=True,
        cwd=bench.directory,
        env=bench.environment(),
        timeout=60,
    )
    equal(done.returncode, 0, "exit code")
    opened = [call.path for s in bench.read() for call in s.calls if call.function == "open"]
    wanted = [os.path.normpath(os.path.join(top, path)).replace("//", "/") for path in paths + ends]
    equal(opened[-len(wanted) :], wanted, "paths")


# One thread opens, another closes what it opened; then each has files of its own.
THREADS = """
import os, sys, threading
def opened(names):
    return [os.open(f"{sys.argv[1]}.{name}", os.O_WRONLY | os.O_CREAT) for name in names]
def close(all):
    for fd in all:
        os.close(fd)
def in_thread(work, *arguments):
    answer = []
    thread = threading.Thread(target=lambda: answer.append(work(*arguments)))
    thread.start()
    thread.join()
    return answer[0]
for _ in range(20):
    close(in_thread(opened, range(30)))
    in_thread(close, opened(range(30)))
mine, other = opened(range(10)), in_thread(opened, range(10, 20))
for number in range(3):
    for fd in mine + other:
        os.write(fd, b"12345")
"""


def descriptors_that_another_thread_closed_keep_positions_apart(bench: Bench) -> None:
    done = subprocess.run([PYTHON, "-I", "-c", THREADS, bench.file], env=bench.environment(), timeout=60)
    equal(done.returncode, 0, "exit code")
    offsets: dict[str, list[int]] = {}
    for call in (call for s in bench.read() for call in s.calls if call.function == "write"):
        offsets.setdefault(call.path, []).append(call.offset)
    equal(offsets, {f"{bench.file}.{number}": [0, 5, 10] for number in range(20)}, "offsets of each file")
