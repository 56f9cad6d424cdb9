"""What a Python workload knows about its own I/O.

The same answer as ``c/answer.h`` writes, for programs of one process (which may
start others). Input and answer are written by system calls of machine code that is
brought along: a preloaded library sees those of the C library's functions. Only
counters that the program is sure of are given: what the interpreter adds on its own
(``fstat``, ``lseek``) is not.
"""

import argparse
import array
import ctypes
import json
import mmap
import os
import platform
import time
from collections.abc import Iterable

MASK = (1 << 64) - 1
INDEX_STEP = 0x9E3779B97F4A7C15
AT_FDCWD = -100

# Numbers of openat, write, close, mkdirat, and a function of machine code that makes the
# system call of its first argument with the others: they differ between processors.
SYSTEM_CALLS = {
    "x86_64": ((257, 1, 3, 258), "4889f8 4889f7 4889d6 4889ca 4d89c2 4d89c8 0f05 c3"),
    "aarch64": (
        (56, 64, 57, 34),
        "e80300aa e00301aa e10302aa e20303aa e30304aa e40305aa 010000d4 c0035fd6",
    ),
}

(_OPENAT, _WRITE, _CLOSE, _MKDIRAT), _CODE = SYSTEM_CALLS[platform.machine()]
_page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
_page.write(bytes.fromhex(_CODE))
_raw_call = ctypes.CFUNCTYPE(ctypes.c_long, *[ctypes.c_long] * 6)(ctypes.addressof(ctypes.c_char.from_buffer(_page)))


def _system_call(number: int, first: int, text: bytes, third: int = 0, fourth: int = 0) -> int:
    """What the kernel answers: below zero it is an error."""
    address = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p).value or 0
    return _raw_call(number, first, address, third, fourth, 0)


def raw_write_file(path: str, content: bytes) -> None:
    """Write a file in a way that a preloaded library does not see."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    fd = _system_call(_OPENAT, AT_FDCWD, path.encode(), flags, 0o644)
    if fd < 0:
        raise OSError(-fd, path)
    while content:
        done = _system_call(_WRITE, fd, content, len(content))
        if done <= 0:
            raise OSError(-done, path)
        content = content[done:]
    _system_call(_CLOSE, fd, b"")


def raw_mkdir(path: str) -> None:
    """Make a directory unseen; one that is there already is fine."""
    _system_call(_MKDIRAT, AT_FDCWD, path.encode(), 0o755)


def mix(x: int) -> int:
    """The function of the same name in c/pattern.h."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def pattern(first_index: int, count: int) -> bytes:
    """Words first_index .. first_index + count of the pattern."""
    return array.array("Q", [mix(first_index + i + 1) for i in range(count)]).tobytes()


class Answer:
    """Counts, files and result of one run; written by :meth:`finish`."""

    def __init__(self, workload: str, variants: Iterable[str]) -> None:
        parser = argparse.ArgumentParser(description=f"workload {workload}")
        parser.add_argument("--variant", choices=list(variants), default="before")
        parser.add_argument("--dir", default=".")
        parser.add_argument("--scale", type=float, default=1.0)
        parser.add_argument("--answer")
        options = parser.parse_args()
        self.variant, self.dir, self.scale = options.variant, options.dir, options.scale
        self._path = options.answer
        self._workload = workload
        self._layers: dict[str, dict[str, int]] = {}
        self._files: list[dict] = []
        self._facts: dict[str, float] = {}
        self._checksum = 0
        self._result_bytes = 0
        self._started_s = 0.0
        self._io_s = 0.0
        raw_mkdir(self.dir)

    def scaled(self, base: int) -> int:
        """``base`` multiplied by --scale, at least 1."""
        return max(1, int(base * self.scale))

    def path(self, name: str) -> str:
        """Name of a file below --dir."""
        return os.path.join(self.dir, name)

    def count(self, layer: str, **counters: int) -> None:
        """Add to counters; naming one with 0 says that it is known."""
        counted = self._layers.setdefault(layer, {})
        for name, amount in counters.items():
            counted[name] = counted.get(name, 0) + amount

    def begin_io(self) -> None:
        self._started_s = time.monotonic()

    def end_io(self) -> None:
        self._io_s += time.monotonic() - self._started_s

    def add_result(self, content: bytes, first_index: int) -> None:
        """Take words into the checksum; first_index is the place of the first."""
        words = array.array("Q")
        words.frombytes(content)
        for i, word in enumerate(words, first_index):
            self._checksum = (self._checksum + mix((word + i * INDEX_STEP) & MASK)) & MASK
        self._result_bytes += len(content)

    def add_result_of(self, checksum: int, size_bytes: int) -> None:
        """Add a part of the result that another process has summed up."""
        self._checksum = (self._checksum + checksum) & MASK
        self._result_bytes += size_bytes

    def add_file(self, name: str, size_bytes: int, holds_result: bool = False) -> None:
        """A file that the run leaves behind, of the size the program gave it."""
        entry: dict = {"name": name, "size": size_bytes}
        if holds_result:
            entry |= {"result_offset": 0, "result_bytes": size_bytes}
        self._files.append(entry)

    def add_fact(self, name: str, value: float) -> None:
        self._facts[name] = value

    def finish(self, root_cause: str, expect: str) -> None:
        """Write the answer, if one was asked for."""
        if self._path is None:
            return
        text = json.dumps(
            {
                "workload": self._workload,
                "variant": self.variant,
                "nprocs": 1,
                "scale": self.scale,
                "root_cause": root_cause,
                "expect": expect,
                "result": {"bytes": self._result_bytes, "checksum": f"{self._checksum:016x}"},
                "io_s": round(self._io_s, 6),
                "facts": self._facts,
                "layers": self._layers,
                "files": self._files,
            },
            indent=2,
        )
        raw_write_file(self._path, text.encode() + b"\n")
