#!/usr/bin/env python3
"""Replays of fresh recordings beside the recordings, on one file system.

Each program is recorded and replayed in turns, several times; the middle of the ratios counts.
Times are those inside I/O calls, summed over ranks: of the calls that are issued.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

# Program, ranks, scale.
PROGRAMS = [
    ("small_unaligned", 4, 5),
    ("strided_shared_file", 4, 1),
    ("random_reads", 4, 5),
    ("redundant_reads", 4, 5),
    ("fsync_per_write", 4, 2),
    ("reopen_per_record", 4, 5),
    ("metadata_storm", 4, 1),
    ("file_per_process", 4, 2),
    ("data_sieving", 4, 1),
    ("text_output", 4, 1),
    ("threads", 4, 1),
    ("stream_habits", 1, 1),
]


def record(options, program, ranks, scale, variant, log: Path, data: Path) -> bool:
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    launcher = ["mpirun.mpich", "-n", str(ranks)] if ranks > 1 else []
    workload = [options.workloads / program, "--variant", variant, "--dir", data, "--scale", str(scale)]
    command = [options.diya, "run", "--quiet", "--force", "-o", log, "--", *launcher, *workload]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def replay(options, log: Path, folder: Path) -> dict:
    command = [options.diya, "replay", "--quiet", "--yes", "--json", log, folder]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def io_s(told: dict, when: str) -> float:
    return sum(part[when] for part in told["classes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diya", required=True)
    parser.add_argument("--workloads", type=Path, required=True)
    parser.add_argument("--folder", help="on the file system to measure (default: the temporary one)")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        measure(options, Path(name))


def measure(options, folder: Path) -> None:
    near, equal, rows = 0, 0, 0
    print("| program | variant | equal | elapsed | time in calls |")
    print("|---|---|---|---|---|")
    for program, ranks, scale in PROGRAMS:
        for variant in ("before", "after"):
            elapsed, inside, is_equal = [], [], True
            log = folder / f"{variant}.diya"
            for _ in range(options.turns):
                if not record(options, program, ranks, scale, variant, log, folder / "data"):
                    print(f"| {program} | {variant} | skipped: it does not run here | | |")
                    break
                told = replay(options, log, folder)
                is_equal &= told["is_equal"] and told["different_calls"] == 0
                elapsed.append(told["elapsed_s"] / told["recorded_s"])
                inside.append(io_s(told, "issued_s") / io_s(told, "recorded_s"))
            else:
                rows, equal = rows + 1, equal + is_equal
                near += abs(statistics.median(elapsed) - 1) <= 0.2
                word = "yes" if is_equal else "no"
                middle = [f"{statistics.median(ratios):.2f}" for ratios in (elapsed, inside)]
                print(f"| {program} | {variant} | {word} | {middle[0]} | {middle[1]} |", flush=True)
    print(f"\nequal calls and bytes: {equal} of {rows}; elapsed within 20 %: {near} of {rows}")


if __name__ == "__main__":
    main()
