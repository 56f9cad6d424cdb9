"""Traces of Recorder: those of the corpus, and programs of workloads/ recorded now.

Sums are compared for each function of each rank: a call that moved to another rank or function
would not change the sums of the whole trace.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from formats import Sums, plain

#: Programs of workloads/ and their ranks: POSIX, C streams, MPI-IO, HDF5.
RECORDED = {
    "small_unaligned": 4,
    "random_reads": 4,
    "threads": 4,
    "metadata_storm": 4,
    "imbalance": 4,
    "checkpoint": 4,
    "many_phases": 4,
    "strided_shared_file": 4,
    "mpiio_kinds": 4,
    "hdf5_chunks": 4,
    "text_output": 1,
    "reopen_per_record": 2,
    "fsync_per_write": 3,
    "rank0_writes": 8,
    "seek_per_request": 8,
    "redundant_reads": 5,
    "data_sieving": 4,
    "shared_pointer": 6,
    "hdf5_alignment": 8,
    "hdf5_metadata": 2,
    "hdf5_transfer": 8,
    "block_checkpoint": 2,
    "file_per_process": 8,
    "plotfiles": 7,
}
#: Bytes of the types of MPI that these programs move; of those that HDF5 makes nothing is recorded.
ELEMENT = {"MPI_BYTE": 1, "MPI_CHAR": 1, "MPI_INT": 4, "MPI_FLOAT": 4, "MPI_DOUBLE": 8}
#: Names of Recorder for what diya counts together.
SAME = {"fprintf": "printf", "vfprintf": "printf"}

#: What diya reads, by function and rank.
OF_RANK = """select function as name, rank, sum(calls) as calls,
coalesce(sum(case when op in ('read', 'write') then size_bytes end), 0) as bytes
from call group by function, rank union all select name, rank, count(*), 0 from region group by name, rank"""


def sums(lines: Counter[str]) -> Sums:
    """Of lines ``rank [result] function [depth kind] ( arguments )``, each with its times."""
    found = Sums()
    for line, times in lines.items():
        head, _, rest = line.partition(" ( ")
        words, arguments = head.split(), rest.removesuffix(" )").split()
        name = plain(next(word for word in words[1:] if not re.fullmatch(r"-?\d+", word)))
        name = SAME.get(name, name)
        before = found.read + found.written
        found.calls[name] += times
        found.of_rank[name, int(words[0]), "calls"] += times
        if name in ("read", "write", "pread", "pwrite"):
            found.moved("write" in name, times * int(arguments[2]))
        elif name in ("fread", "fwrite"):
            found.moved("write" in name, times * int(arguments[1]) * int(arguments[2]))
        elif re.match(r"MPI_File_i?(read|write)", name) and not name.endswith("_end"):
            count = 3 if "_at" in name else 2
            size = int(arguments[count]) * ELEMENT.get(arguments[count + 1], 0)
            found.moved("write" in name, times * size)
        found.of_rank[name, int(words[0]), "bytes"] += found.read + found.written - before
    return found


def of_rank(answer: list[dict]) -> Counter:
    """The same of the answer to `OF_RANK`."""
    found: Counter = Counter()
    for row in answer:
        for what in ("calls", "bytes"):
            found[row["name"], row["rank"], what] += row[what]
    return found


def apart(theirs: Counter, ours: Counter) -> list[str]:
    """Functions of a rank that differ, named once for each function."""
    by_function: dict[str, list[str]] = {}
    for name, rank, what in sorted(set(theirs) | set(ours), key=str):
        here, there = ours[name, rank, what], theirs[name, rank, what]
        if here != there:
            by_function.setdefault(f"`{name}`", []).append(f"rank {rank} {there:,} {what}, diya {here:,}")
    return [f"{name}: {', '.join(of)}" for name, of in by_function.items()]


def of_corpus(text: Path) -> Sums:
    """Calls that recorder2text printed, counted by scripts/recorder-samples.sh."""
    lines: Counter[str] = Counter()
    for line in text.read_text().splitlines():
        times, _, line = line.partition(" ")
        lines[line] += int(times)
    return sums(lines)


def of_trace(folder: Path) -> Sums:
    """What recorder2text made of a trace: a file for each rank, each line with two times first."""
    lines: Counter[str] = Counter()
    for text in (folder / "_text").glob("*.txt"):
        # Version 2.2 sometimes prints bytes that are no text.
        for line in text.open(errors="replace"):
            lines[f"{text.stem} {line.rstrip().split(maxsplit=2)[2]}"] += 1
    return sums(lines)


def recorded(build: Path, programs: Path, work: Path) -> Iterator[tuple[str, Path, Sums]]:
    """Name, trace and sums of each program, recorded by a build of Recorder."""
    for program, ranks in RECORDED.items():
        folder = work / build.name / program
        (folder / "data").mkdir(parents=True)
        (folder / "made").mkdir()
        library = build / "lib/librecorder.so"
        settings = ["-genv", "RECORDER_TRACES_DIR", folder / "made", "-genv", "LD_PRELOAD", library]
        command = ["mpirun.mpich", "-n", str(ranks), *settings, programs / program, "--dir", folder / "data"]
        subprocess.run(command, check=True, capture_output=True)
        (listed,) = (folder / "made").rglob("recorder.mt")
        # The tools of some versions take no other letters in a path.
        trace = listed.parent.rename(folder / "trace")
        subprocess.run(["mpirun.mpich", "-n", "1", build / "bin/recorder2text", trace], check=True, capture_output=True)
        yield f"{program} {build.name} of {ranks}", trace, of_trace(trace)
