"""How fast diya reads, against plain decompression and against PyDarshan.

    python benches/readers.py --diya target/release/diya \
        --inflate target/release/diya-bench-inflate --logs ../shared/logs/generated

Everything is measured as whole processes: CPU (user and system) and peak
memory from ``wait4``. What is compared takes turns (A B A B ...) in the same
run, and medians count, so that a slow minute of the machine hits both alike.
Ratios travel between machines, seconds do not.

The targets are promises to the user, stated where they are measured. The exit
code is 1 when one is missed.
"""

from __future__ import annotations

import argparse
import gzip
import lzma
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PYDARSHAN = "import sys, darshan; darshan.DarshanReport(sys.argv[1], read_all=True)"
PYDARSHAN_IMPORT = "import darshan"
GROUP_BY_RANK = "select rank, count(*), sum(size_bytes) from call group by rank"
SUM_OF_ALL = "select count(*), sum(bytes_written) from posix"
SMALL_LOGS = 1000
#: Logs and the number of segments in them.
TRACES = {"big_1m": 1_000_000, "big_10m": 10_000_000}


@dataclass(frozen=True)
class Cost:
    """Medians over the rounds of one command."""

    cpu_s: float
    wall_s: float
    peak_bytes: int


@dataclass(frozen=True)
class Line:
    """A row of the table: ``limit`` is the largest figure that keeps the promise."""

    what: str
    limit: float | None
    figure: float
    unit: str

    def __str__(self) -> str:
        if self.limit is None:
            return f"| {self.what} | | {self.figure:,.3g} {self.unit} | |"
        result = "pass" if self.figure <= self.limit else "MISS"
        target = f"at most {self.limit:,.3g} {self.unit}"
        return f"| {self.what} | {target} | {self.figure:,.3g} {self.unit} | {result} |"


def run_once(command: list) -> Cost:
    """Run a command to its end; its output goes nowhere.

    Raises
    ------
    RuntimeError
        If it fails: the time of a failure is no measurement.
    """
    start_s = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - start_s
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[:3]} ended with {process.returncode}: {words[-300:]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall_s, usage.ru_maxrss * 1024)


def measure(rounds: int, *commands: list) -> list[Cost]:
    """Medians of commands that take turns, after one turn that does not count."""
    for command in commands:
        run_once(command)
    costs = [[run_once(command) for command in commands] for _ in range(rounds)]
    return [
        Cost(
            statistics.median(c.cpu_s for c in column),
            statistics.median(c.wall_s for c in column),
            int(statistics.median(c.peak_bytes for c in column)),
        )
        for column in zip(*costs, strict=True)
    ]


def whole_traces(diya: Path, inflate: Path | None, logs: Path, rounds: int) -> list[Line]:
    """Reading everything, against a program that only decompresses, and PyDarshan."""
    lines = []
    for name, segments in TRACES.items():
        log = logs / "lib-3.5.0" / f"{name}.darshan"
        others = [[sys.executable, "-c", PYDARSHAN, log], [sys.executable, "-c", PYDARSHAN_IMPORT]]
        if inflate is not None:
            others.append([inflate, log])
        read, peer, imported, *plain = measure(rounds, [diya, "tables", log], *others)
        for baseline in plain:
            ratio = read.cpu_s / baseline.cpu_s
            # The start of the process weighs more in a short trace: no promise there.
            limit = 1.5 if name == "big_10m" else None
            lines.append(Line(f"{name}: CPU, of decompressing alone", limit, ratio, "times"))
        share = read.cpu_s / peer.cpu_s
        beyond = read.cpu_s / (peer.cpu_s - imported.cpu_s)
        memory = read.peak_bytes / peer.peak_bytes
        lines += [
            Line(f"{name}: CPU, of PyDarshan's read_all", 1 / 8, share, "times"),
            Line(f"{name}: CPU, of read_all without its import", None, beyond, "times"),
            Line(f"{name}: peak memory, of PyDarshan", None, memory, "times"),
            Line(f"{name}: CPU", None, read.cpu_s, "s"),
            Line(f"{name}: wall", None, read.wall_s, "s"),
            Line(f"{name}: peak memory", 600, read.peak_bytes / 1e6, "MB"),
            Line(f"{name}: memory per segment", None, read.peak_bytes / segments, "bytes"),
        ]
    return lines


def single_commands(diya: Path, logs: Path, rounds: int) -> list[Line]:
    """Start-up, ``info``, ``dump --dxt`` and one query."""
    log, segments = logs / "lib-3.5.0" / "big_10m.darshan", TRACES["big_10m"]
    start, info = measure(10 * rounds, [diya, "--version"], [diya, "info", log])
    dumped, asked, read = measure(
        rounds,
        [diya, "dump", "--dxt", log],
        [diya, "sql", log, GROUP_BY_RANK],
        [diya, "tables", log],
    )
    return [
        Line("--version: wall", 10, start.wall_s * 1e3, "ms"),
        Line("info on big_10m: wall", 30, info.wall_s * 1e3, "ms"),
        # A third of what darshan-dxt-parser needs (0.61 us a segment, version 3.5.0).
        Line("dump --dxt: CPU per segment", 203, dumped.cpu_s / segments * 1e9, "ns"),
        Line(
            "group by rank over 10 M calls: wall beyond loading",
            0.5,
            asked.wall_s - read.wall_s,
            "s",
        ),
        Line("group by rank over 10 M calls: wall", None, asked.wall_s, "s"),
    ]


def many_logs(diya: Path, logs: Path, rounds: int) -> Line:
    """Counters of 1000 small logs in one process, without the start of the process."""
    small = [p for p in sorted(logs.rglob("*.darshan")) if p.stat().st_size < 20_000]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number:04}.darshan" for number in range(SMALL_LOGS)]
        for number, path in enumerate(paths):
            shutil.copyfile(small[number % len(small)], path)
        # A sum cannot stop early, as printing a few rows might.
        all_logs, start = measure(rounds, [diya, "sql", *paths, SUM_OF_ALL], [diya, "sql", paths[0], SUM_OF_ALL])
    each_ms = (all_logs.cpu_s - start.cpu_s) / (SMALL_LOGS - 1) * 1e3
    return Line(f"counters of {SMALL_LOGS} small logs: CPU per log", 0.2, each_ms, "ms")


def binary_size(handed_out: Path) -> list[Line]:
    """What has to be downloaded."""
    binary = handed_out.read_bytes()
    sizes = {
        "as it is": (100, len(binary)),
        "gzip -9": (None, len(gzip.compress(binary, 9))),
        "xz -9": (30, len(lzma.compress(binary, preset=9))),
    }
    return [Line(f"binary, {how}", limit, size / 1e6, "MB") for how, (limit, size) in sizes.items()]


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--inflate", type=Path, help="program that only decompresses a log")
    parser.add_argument("--logs", type=Path, required=True, help="the folder of generated logs")
    parser.add_argument("--binary", type=Path, help="the file that is handed out (xtask dist)")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    diya, logs, rounds = arguments.diya.resolve(), arguments.logs, arguments.rounds
    lines = [
        *whole_traces(diya, arguments.inflate, logs, rounds),
        *single_commands(diya, logs, rounds),
        many_logs(diya, logs, rounds),
        *(binary_size(arguments.binary) if arguments.binary else []),
    ]
    print(f"{os.cpu_count()} processors, medians of {rounds} rounds\n")
    print("| what | target | figure | |\n|---|---|---:|---|")
    print("\n".join(map(str, lines)))
    is_kept = all(line.limit is None or line.figure <= line.limit for line in lines)
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
