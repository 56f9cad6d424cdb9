"""Reads what strace saw of a program: calls that move bytes of files, and who made them.

strace prints the stack of each call (-k). It says whether the program made the call,
or the C library for one of its streams, or the C library for itself (time zones, users,
languages), or the dynamic loader: only the first can be compared call by call.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SCHEMA = Path(__file__).parents[2] / "schema" / "functions"
READS = ["read", "pread64", "readv", "preadv", "preadv2"]
WRITES = ["write", "pwrite64", "writev", "pwritev", "pwritev2"]
COPIES = {"copy_file_range": (0, 2), "splice": (0, 2), "sendfile": (1, 0)}
RINGS = ["io_submit", "io_uring_enter"]
COMMAND = [
    "strace",
    "-ff",
    "-k",
    "-y",
    "-qq",
    "-s",
    "64",
    "-e",
    "signal=none",
    "-e",
    "trace=execve," + ",".join([*READS, *WRITES, *COPIES, *RINGS]),
]

LINE = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)")
FRAME = re.compile(r"^ > (.*?)\((?:(.*)\+0x([0-9a-f]+))?\) \[0x([0-9a-f]+)\]$")
DESCRIPTOR = re.compile(r"(?<![\w=])\d+<((?:[^\\>]|\\.)*)>(\(deleted\))?")
REQUEST = re.compile(r"IOCB_CMD_P(READ|WRITE)V?, aio_fildes=\d+<([^>]*)>.*?aio_nbytes=(\d+)")
# Pipes and sockets have no slash in front; terminals; and what the kernel makes up anew
# for each process that reads it.
NO_FILE = re.compile(r"^(?!/)|^/dev/(pts/|tty|console)|^/(proc|sys)/")


@dataclass
class Call:
    """One direction of one system call."""

    name: str
    direction: str
    path: str
    size: int
    program: str
    frames: list[tuple[str, str, int]] = field(default_factory=list)

    @property
    def maker(self) -> str:
        """program, stream, library (the C library for itself), request (of POSIX AIO), loader,
        or instruction (a system call that is not the C library's)."""
        return maker_of(self.frames)


def is_loader(module: str) -> bool:
    return "/ld-linux" in module or "/ld-2." in module


def is_library(module: str) -> bool:
    return re.search(r"/lib(c|pthread)[.-][^/]*$", module) is not None


@cache
def recorded(layer: str) -> frozenset[str]:
    """Symbols that the recorder has a hook for."""
    table = tomllib.loads((SCHEMA / f"{layer}.toml").read_text())
    return frozenset(symbol for function in table["functions"] for symbol in function["symbols"].split())


@cache
def symbols(module: str) -> dict[int, set[str]]:
    """Names by address: one function has several."""
    found: dict[int, set[str]] = {}
    lines = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True).stdout
    for line in lines.splitlines():
        address, _, name = line.split()
        found.setdefault(int(address, 16), set()).add(name.split("@")[0])
    return found


def names_of(frame: tuple[str, str, int]) -> set[str]:
    module, symbol, start = frame
    return symbols(module).get(start, set()) | {symbol}


def maker_of(frames: list[tuple[str, str, int]]) -> str:
    if not frames:
        return "unknown"
    if is_loader(frames[0][0]):
        return "loader"
    if not is_library(frames[0][0]):
        return "instruction"
    inside = []
    for frame in frames:
        if not is_library(frame[0]):
            break
        inside.append(frame)
    if len(inside) == len(frames) > 1:  # its own threads
        return "request"
    called = names_of(inside[-1])
    if len(inside) == 1 or called & recorded("posix"):
        return "program"
    ends = {"exit", "quick_exit", "__libc_start_main", "__libc_init_first", "abort"}
    if called & (recorded("stdio") | ends) or any(name.startswith("_IO_") for name in called):
        return "stream"
    return "library"


def is_file(path: str) -> bool:
    return NO_FILE.search(path) is None


def directions(name: str, arguments: str, size: int) -> Iterator[tuple[str, str, int]]:
    """Direction, path and bytes of a call."""
    paths = [found[1] for found in DESCRIPTOR.finditer(arguments)]
    if name in READS:
        yield "read", paths[0], size
    elif name in WRITES:
        yield "write", paths[0], size
    elif name in COPIES and len(paths) == 2:
        read = paths[0] if COPIES[name][0] == 0 else paths[1]
        yield "read", read, size
        yield "write", paths[0] if read is paths[1] else paths[1], size
    elif name == "io_submit":
        for request in list(REQUEST.finditer(arguments))[:size]:
            yield request[1].lower(), request[2], int(request[3])
    elif name == "io_uring_enter":
        yield "ring", "/", size


def of_process(path: Path) -> Iterator[Call]:
    """Calls on files that succeeded, of one thread."""
    program, now = "", []
    for line in path.read_text(errors="replace").splitlines():
        if frame := FRAME.match(line):
            module, symbol, offset, address = frame.groups()
            for call in now:
                call.frames.append((module, symbol or "", int(address, 16) - int(offset or "0", 16)))
            continue
        yield from now
        now = []
        call = LINE.match(line)
        if call is None or call[3] == "?" or int(call[3]) < 0:
            continue
        name, arguments, size = call[1], call[2], int(call[3])
        if name == "execve":
            program = arguments.split('"')[1] if '"' in arguments else arguments
            continue
        now = [
            Call(name, direction, path, moved, program)
            for direction, path, moved in directions(name, arguments, size)
            if is_file(path)
        ]
    yield from now


def of_run(folder: Path) -> list[Call]:
    """Of all threads of all processes of a run, which left files `p.NUMBER`."""
    return [call for path in sorted(folder.glob("p.*")) for call in of_process(path)]


def programs_of(folder: Path) -> int:
    """How many programs were started."""
    started = re.compile(r"^execve\(.* = 0$", re.M)
    return sum(len(started.findall(path.read_text(errors="replace"))) for path in folder.glob("p.*"))
