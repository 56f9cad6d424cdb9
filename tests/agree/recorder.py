"""Traces of Recorder: those of the corpus, and programs of workloads/ recorded now."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from formats import Sums, plain

#: Programs of workloads/, of four ranks: POSIX, MPI-IO and HDF5.
RECORDED = (
    "small_unaligned", "random_reads", "threads", "metadata_storm", "imbalance", "checkpoint",
    "many_phases", "strided_shared_file", "mpiio_kinds", "hdf5_chunks",
)
RANKS = 4
#: Bytes of the types of MPI that these programs move; of those that HDF5 makes nothing is recorded.
ELEMENT = {"MPI_BYTE": 1, "MPI_CHAR": 1, "MPI_INT": 4, "MPI_FLOAT": 4, "MPI_DOUBLE": 8}


def sums(lines: Counter[str]) -> Sums:
    """Of lines ``rank [result] function [depth kind] ( arguments )``, each with its times."""
    found = Sums()
    for line, times in lines.items():
        head, _, rest = line.partition(" ( ")
        words, arguments = head.split(), rest.removesuffix(" )").split()
        name = plain(next(word for word in words[1:] if not re.fullmatch(r"-?\d+", word)))
        found.calls[name] += times
        if name in ("read", "write", "pread", "pwrite"):
            found.moved("write" in name, times * int(arguments[2]))
        elif name in ("fread", "fwrite"):
            found.moved("write" in name, times * int(arguments[1]) * int(arguments[2]))
        elif re.match(r"MPI_File_i?(read|write)", name) and not name.endswith("_end"):
            count = 3 if "_at" in name else 2
            size = int(arguments[count]) * ELEMENT.get(arguments[count + 1], 0)
            found.moved("write" in name, times * size)
    return found


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
        for line in text.open():
            lines[f"{text.stem} {line.rstrip().split(maxsplit=2)[2]}"] += 1
    return sums(lines)


def recorded(build: Path, programs: Path, work: Path) -> Iterator[tuple[str, Path, Sums]]:
    """Name, trace and sums of each program, recorded by a build of Recorder."""
    for program in RECORDED:
        folder = work / build.name / program
        (folder / "data").mkdir(parents=True)
        (folder / "made").mkdir()
        library = build / "lib/librecorder.so"
        settings = ["-genv", "RECORDER_TRACES_DIR", folder / "made", "-genv", "LD_PRELOAD", library]
        command = ["mpirun.mpich", "-n", str(RANKS), *settings, programs / program, "--dir", folder / "data"]
        subprocess.run(command, check=True, capture_output=True)
        (listed,) = (folder / "made").rglob("recorder.mt")
        # The tools of some versions take no other letters in a path.
        trace = listed.parent.rename(folder / "trace")
        subprocess.run(["mpirun.mpich", "-n", "1", build / "bin/recorder2text", trace], check=True, capture_output=True)
        yield f"{program} {build.name}", trace, of_trace(trace)
