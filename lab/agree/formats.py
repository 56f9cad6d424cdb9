"""What other tools say of their own traces: calls and bytes by name of the function.

Each function takes a trace and returns sums; nothing here is read by diya.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Sums:
    """Calls by function; bytes read and written, None where the tool has none; of Recorder also
    calls and bytes by function and rank."""

    calls: Counter = field(default_factory=Counter)
    read: int | None = 0
    written: int | None = 0
    of_rank: Counter = field(default_factory=Counter)

    def moved(self, is_write: bool, size: int) -> None:
        if is_write:
            self.written += size
        else:
            self.read += size


def plain(name: str) -> str:
    """The function without the width of its offsets: diya counts `pread64` as `pread`."""
    return name.removesuffix("64")


# --- strace ------------------------------------------------------------------------------

#: System calls that strace and diya call differently.
SAME = {
    "newfstatat": "fstatat",
    "execve": "exec",
    "clone": "fork",
    "clone3": "fork",
    "fadvise64": "posix_fadvise",
    "faccessat2": "faccessat",
}
#: Whether they write; copies read one file and write another.
MOVES = {
    **dict.fromkeys("read pread64 readv preadv preadv2".split(), (False,)),
    **dict.fromkeys("write pwrite64 writev pwritev pwritev2".split(), (True,)),
    **dict.fromkeys("copy_file_range sendfile splice".split(), (False, True)),
}


def strace(text: Path) -> Sums:
    """Calls of the table that `strace -C` prints; bytes of the results in its lines."""
    sums = Sums()
    whole = re.compile(r"^\d+\s+[\d.]+ (?:<\.\.\. )?(\w+)(?: resumed>|\().* = (\d+)\b[^=]*<[\d.]+>$")
    row = re.compile(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$")
    for line in text.read_text(errors="replace").splitlines():
        if (found := row.match(line)) and found[2] != "total":
            sums.calls[SAME.get(found[2], plain(found[2]))] += int(found[1])
        elif found := whole.match(line):
            for is_write in MOVES.get(found[1], ()):
                sums.moved(is_write, int(found[2]))
    return sums


# --- Darshan -----------------------------------------------------------------------------


def darshan(total: Path) -> Sums:
    """Sums that `darshan-parser --total` prints."""
    sums = Sums()
    for name, value in re.findall(r"^total_(\w+): (-?\d+)$", total.read_text(), re.MULTILINE):
        if re.fullmatch(
            r"(POSIX|STDIO|MPIIO)_(OPENS|READS|WRITES|INDEP_READS|INDEP_WRITES|COLL_READS|COLL_WRITES)", name
        ):
            sums.calls[name] += int(value)
        elif name.endswith(("_BYTES_READ", "_BYTES_WRITTEN")) and name.split("_")[0] in ("POSIX", "STDIO", "MPIIO"):
            sums.moved(name.endswith("WRITTEN"), int(value))
    return sums


# --- OTF2 --------------------------------------------------------------------------------


def otf2(text: str) -> Sums:
    """Sums of tests/peers/otf2_text.py, which the reader of the package otf2 makes."""
    sums = Sums()
    for words in map(str.split, text.splitlines()):
        if words[0] == "region":
            sums.calls[plain(words[5])] += int(words[3])
        elif words[0] == "moved":
            sums.moved(words[7] == "write", int(words[5]))
    return sums


# --- Chrome traces and DFTracer ----------------------------------------------------------


def viztracer(trace: Path, said: str) -> Sums:
    """Events that VizTracer says it saved, without names of processes and threads. They have no bytes."""
    entries = int(re.search(r"[Tt]otal [Ee]ntries:\s*(\d+)", said)[1])
    names = sum(event["ph"] == "M" for event in json.loads(trace.read_text())["traceEvents"])
    return Sums(Counter({"events": entries - names}), None, None)


def dftracer(statistics: str) -> Sums:
    """What `dftracer_stats --report detailed --group-by name --json` of dftracer-utils prints."""
    sums = Sums()
    for file in json.loads(statistics):
        detailed = file["detailed"]
        for name, duration in detailed["grouped_duration"].items():
            sums.calls[plain(name)] += duration["count"]
        for name, io in detailed.get("grouped_io", {}).items():
            if "read" in name or "write" in name:
                sums.moved("write" in name, int(io["size"]["sum"]))
    return sums


def command(*words: object) -> str:
    """What a command prints."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    return done.stdout + done.stderr
