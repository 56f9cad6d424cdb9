#!/usr/bin/env python3
"""Replays of fresh recordings beside the recordings, on one file system.

Each program is recorded and replayed in turns, several times; the middle of the ratios counts.
A transform is replayed on the faulty variant; its time is compared with that of the mended one.
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

# The transform that does what the mended program does.
MENDED_BY = {
    "small_unaligned": ["larger-requests=1M"],
    "strided_shared_file": ["aggregate"],
    "redundant_reads": ["drop-redundant"],
    "fsync_per_write": ["no-fsync"],
    "reopen_per_record": ["batch-metadata"],
    "text_output": ["larger-requests=1M"],
}


def record(options, program, ranks, scale, variant, log: Path, data: Path) -> bool:
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    launcher = ["mpirun.mpich", "-n", str(ranks)] if ranks > 1 else []
    workload = [options.workloads / program, "--variant", variant, "--dir", data, "--scale", str(scale)]
    command = [options.diya, "run", "--quiet", "--force", "-o", log, "--", *launcher, *workload]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def replay(options, log: Path, folder: Path | str, transforms=()) -> dict:
    """In the folder; `--model` instead of it only estimates."""
    changes = [word for name in transforms for word in ("--transform", name)]
    command = [options.diya, "replay", "--quiet", "--yes", "--json", *changes, log, folder]
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
    near, equal, rows, mended = 0, 0, 0, []
    print("| program | variant | equal | elapsed | time in calls |")
    print("|---|---|---|---|---|")
    for program, ranks, scale in PROGRAMS:
        seconds = {}
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
                seconds.setdefault(variant, []).append(io_s(told, "issued_s"))
                if variant == "before" and program in MENDED_BY:
                    changed = replay(options, log, folder, MENDED_BY[program])
                    seconds.setdefault("changed", []).append(io_s(changed, "issued_s"))
                    model = replay(options, log, "--model", MENDED_BY[program])
                    ratio = io_s(model, "issued_s") / io_s(model, "recorded_s")
                    seconds.setdefault("model", []).append(ratio)
            else:
                rows, equal = rows + 1, equal + is_equal
                near += abs(statistics.median(elapsed) - 1) <= 0.2
                word = "yes" if is_equal else "no"
                middle = [f"{statistics.median(ratios):.2f}" for ratios in (elapsed, inside)]
                print(f"| {program} | {variant} | {word} | {middle[0]} | {middle[1]} |", flush=True)
        if len(seconds) == 4:
            middle = {name: statistics.median(values) for name, values in seconds.items()}
            mended.append((program, middle))
    print(f"\nequal calls and bytes: {equal} of {rows}; elapsed within 20 %: {near} of {rows}\n")
    print("| program | transform | replay of the mended program | transform | with --model |")
    print("|---|---|---|---|---|")
    for program, middle in mended:
        ratios = [f"{middle[name] / middle['before']:.2f}" for name in ("after", "changed")]
        ratios.append(f"{middle['model']:.2f}")
        print(f"| {program} | {', '.join(MENDED_BY[program])} | {' | '.join(ratios)} |")


if __name__ == "__main__":
    main()
