#!/usr/bin/env python3
"""`diya tune --loop 5` beside an exhaustive search of the same space.

    python3 lab/tune_loop/tune_loop.py --diya PATH --workloads FOLDER --work FOLDER [--only NAME ...]

A loop of five runs says which settings to keep. Then every combination of the settings that it
could try runs ROUNDS times, in an order that chance decides; the quickest run of each counts,
by the program's own clock: others on the machine only ever make a run slower. The share of the
best is the time of the best combination over that of the kept one.

Programs of which nothing is to mend run in a loop, too: it has to say that nothing helps.

Writes lab/tune_loop/tune-loop.md; `lab/tune_loop/tune-loop.sh` calls it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "lab/tune_loop/tune-loop.md"
RUNS = 5
ROUNDS = 3
SEED = 1
#: Share of the best that counts as reached, give or take the noise.
REACHED = 0.9
#: More combinations are not run: the space would not be small.
MOST_POINTS = 32
TIMEOUT_S = 300

# Program, variant, ranks (0: no MPI), scale, further options of the loop.
FAULTY: list[tuple[str, str, int, float, tuple[str, ...]]] = [
    ("small_unaligned", "before", 1, 150, ()),
    ("strided_shared_file", "before", 2, 150, ()),
    ("data_sieving", "before", 2, 400, ()),
    ("text_output", "before", 2, 50, ()),
    ("stream_habits", "before", 0, 1, ()),
    ("fsync_per_write", "before", 2, 20, ("--accept", "no_fsync")),
    ("plotfiles", "before", 2, 20, ()),
    ("hdf5_chunks", "before", 2, 10, ()),
    ("hdf5_transfer", "before", 2, 60, ()),
    ("block_reads", "after", 2, 60, ()),
    ("fortran_formatted", "before", 1, 60, ()),
    ("python_flush_per_line", "before", 0, 60, ()),
    ("python_synchronous_log", "before", 0, 1, ()),
]
HEALTHY: list[tuple[str, str, int, float]] = [
    ("well_behaved", "before", 2, 4),
    ("rank0_writes", "after", 2, 4),
    ("imbalance", "after", 2, 10),
    ("metadata_storm", "after", 2, 4),
    ("reopen_per_record", "after", 2, 4),
    ("file_per_process", "after", 2, 4),
    ("checkpoint", "after", 2, 2),
    ("threads", "after", 2, 4),
]


class Skipped(Exception):
    """A program that does not run here, or whose space is not one for this page."""


class Program:
    """A program of workloads/ in a folder of its own."""

    def __init__(self, options: argparse.Namespace, name: str, variant: str, ranks: int, scale: float) -> None:
        self.name, self.variant = name, variant
        self.folder = (options.work / f"{name}.{variant}").resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.answer = self.folder / "answer.json"
        self.diya = options.diya.resolve()
        launcher = ["mpirun.mpich", "-n", str(ranks)] if ranks else []
        python, built = ROOT / f"workloads/python/{name}.py", options.workloads.resolve() / name
        program = [sys.executable, python] if python.exists() else [built]
        if not program[-1].exists():
            raise Skipped("not built")
        data = self.folder / "data"
        self.command = [*launcher, *program, "--variant", variant, "--dir", data, "--scale", str(scale)]
        self.command += ["--answer", self.answer]

    def call(self, *arguments: object) -> str:
        done = subprocess.run(
            [self.diya, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S, cwd=self.folder
        )
        if done.returncode != 0:
            raise Skipped(f"exit code {done.returncode}: {done.stderr.strip()[-200:]}")
        return done.stdout

    def loop(self, more: tuple[str, ...] = ()) -> dict:
        """What a loop says; its folder goes."""
        said = self.call("tune", "--quiet", "--loop", RUNS, "--json", "-o", "loop", *more, "--", *self.command)
        shutil.rmtree(self.folder / "loop")
        return json.loads(said)

    def seconds(self, settings: Path | None, more: tuple[str, ...]) -> float:
        """Time of the program's I/O by its own clock."""
        apply = ["--apply", settings, *more] if settings else []
        self.call("run", "--quiet", "--force", "-o", "run.diya", *apply, "--", *self.command)
        return json.loads(self.answer.read_text())["io_s"]


def points_of(space: list[dict]) -> list[tuple[int, ...]]:
    """Every combination: 0 is off, 1 the first value."""
    return list(itertools.product(*(range(len(of["values"]) + 1) for of in space)))


def written(folder: Path, space: list[dict], point: tuple[int, ...]) -> Path | None:
    """The folder with the settings of a point."""
    files: dict[str, list[str]] = {}
    for of, option in zip(space, point, strict=True):
        if option:
            files.setdefault(of["file"], []).extend(of["lines"][option - 1])
    shutil.rmtree(folder, ignore_errors=True)
    for name, lines in files.items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("\n".join(lines) + "\n")
    return folder if files else None


def kept_point(said: dict) -> tuple[int, ...]:
    """The combination that the loop keeps."""
    kept = next((tried for tried in said["tried"] if tried["name"] == said["keep"]), {"settings": []})
    values = {(setting["file"], setting["key"]): setting["value"] for setting in kept["settings"]}
    found = [values.get((of["file"], of["key"])) for of in said["space"]]
    return tuple(of["values"].index(value) + 1 if value else 0 for of, value in zip(said["space"], found, strict=True))


def compared(program: Program, more: tuple[str, ...]) -> dict:
    """The loop beside every combination."""
    said = program.loop(more)
    space = said["space"]
    if not space:
        raise Skipped("no setting that can be tried")
    points = points_of(space)
    if len(points) > MOST_POINTS:
        raise Skipped(f"{len(points)} combinations")
    seconds: dict[tuple[int, ...], list[float]] = {point: [] for point in points}
    order = random.Random(SEED)
    for _ in range(ROUNDS):
        for point in order.sample(points, len(points)):
            seconds[point].append(program.seconds(written(program.folder / "settings", space, point), more))
    quickest = {point: min(all_of) for point, all_of in seconds.items()}
    best, kept = min(quickest, key=quickest.__getitem__), kept_point(said)
    off_s = quickest[points[0]]
    # By how much the two quickest runs differ, where it is most of the two combinations.
    noise = max(sorted(seconds[point])[1] / quickest[point] - 1 for point in (best, kept))
    words = [" ".join([of["key"], *of["values"]]) for of in space]
    return {
        "space": "; ".join(words),
        "points": len(points),
        "runs": len(said["run"]),
        "answer": said["answer"],
        "kept": "; ".join(
            f"{of['key']} {of['values'][option - 1]}" for of, option in zip(space, kept, strict=True) if option
        )
        or "nothing",
        "kept_ratio": quickest[kept] / off_s,
        "best_ratio": quickest[best] / off_s,
        "share": quickest[best] / quickest[kept],
        "noise": noise,
        "loop_noise": said["noise_ratio"],
        "metric": said["metric"].split(" (")[0],
    }


def is_reached(row: dict) -> bool:
    return row["share"] * (1 + row["noise"]) >= REACHED


def page(rows: dict[str, dict], healthy: dict[str, dict], load: str) -> str:
    """The page as Markdown."""
    reached = sum(is_reached(row) for row in rows.values())
    strict = sum(row["share"] >= REACHED for row in rows.values())
    hidden = sum(row["answer"] == "unknown" for row in rows.values())
    silent = sum(row["answer"] == "nothing_helps" for row in healthy.values())
    lines = [
        "# How near to the best settings a loop comes",
        "",
        "Written by `lab/tune_loop/tune-loop.sh`; never edited by hand.",
        "",
        f"`diya tune --loop {RUNS}` ran on programs of `workloads/`. Then every combination of the settings",
        f"that it could try ran {ROUNDS} times, in an order that chance decides. The quickest run of each counts, by the",
        "program's own clock. All numbers are ratios of these times:",
        "",
        "- *kept*: time with the settings that the loop keeps, over the time without settings;",
        "- *best*: the same for the best combination of all;",
        "- *share of the best*: the best time over the kept one; 1 is the best that this space has;",
        "- *noise*: by how much the two quickest runs of these combinations differ.",
        "",
        f"{reached} of {len(rows)} loops reach at least {REACHED:.0%} of the best within the noise, {strict} without counting it. {hidden} say",
        "that it is open whether a setting helps, because their five runs differ too much: these keep nothing.",
        f"{silent} of {len(healthy)} loops on programs without a fault say that nothing helps.",
        "",
        f"The machine: {load}.",
        "",
        "| program | settings and values | combinations | runs | keeps | compared by | kept | best | share of the best | noise |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, row in sorted(rows.items()):
        numbers = [f"{row[key]:.2f}" for key in ("kept_ratio", "best_ratio", "share", "noise")]
        keeps = "it is open" if row["answer"] == "unknown" else row["kept"]
        words = [name, row["space"], row["points"], row["runs"], keeps, row["metric"], *numbers]
        lines.append("| " + " | ".join(map(str, words)) + " |")
    lines += ["", "Programs without a fault:", "", "| program | runs | answer |", "|---|---|---|"]
    lines += [f"| {name} | {row['runs']} | {row['text']} |" for name, row in sorted(healthy.items())]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--workloads", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="on the file system to measure")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / "measured.json"
    measured = json.loads(kept.read_text()) if kept.exists() else {"rows": {}, "healthy": {}}
    loads = [os.getloadavg()[0]]

    def keep() -> None:
        """Writes what is measured so far."""
        loads.append(os.getloadavg()[0])
        measured["load"] = f"{os.cpu_count()} cores; load averages of {min(loads):.1f} to {max(loads):.1f} while it ran"
        kept.write_text(json.dumps(measured, indent=1))
        PAGE.write_text(page(measured["rows"], measured["healthy"], measured["load"]))

    wanted = lambda name: name in (options.only or [name])  # noqa: E731
    for name, variant, ranks, scale, more in filter(lambda case: wanted(case[0]), FAULTY):
        try:
            row = compared(Program(options, name, variant, ranks, scale), more)
        except (Skipped, subprocess.TimeoutExpired) as why:
            print(f"skipped  {name}.{variant}: {why}", flush=True)
            continue
        measured["rows"][f"{name}.{variant}"] = row
        keep()
        print(f"{'reached' if is_reached(row) else 'MISSED':8} {name}.{variant}: {row}", flush=True)
    for name, variant, ranks, scale in filter(lambda case: wanted(case[0]), HEALTHY):
        try:
            said = Program(options, name, variant, ranks, scale).loop()
        except (Skipped, subprocess.TimeoutExpired) as why:
            print(f"skipped  {name}.{variant}: {why}", flush=True)
            continue
        measured["healthy"][f"{name}.{variant}"] = {
            "answer": said["answer"],
            "text": said["text"],
            "runs": len(said["run"]),
        }
        keep()
        print(f"healthy  {name}.{variant}: {said['text']}", flush=True)
    is_near = sum(map(is_reached, measured["rows"].values())) == len(measured["rows"])
    return 0 if is_near and all(row["answer"] == "nothing_helps" for row in measured["healthy"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
