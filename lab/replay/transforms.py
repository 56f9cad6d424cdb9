#!/usr/bin/env python3
"""How well a transformed replay foretells what the mended program saves.

    python3 lab/replay/transforms.py --diya PATH --workloads FOLDER --work FOLDER [--only NAME ...]

Programs of workloads/ and of the rounds whose fault is of a kind that a transform describes: by
the cause that was written down before any report. CAUSES and WORKLOADS were fixed before any of
them was replayed; what was changed after the first try stands on the page. Each program and its mended variant are recorded in turns, and the recording of
the faulty one is replayed unchanged and transformed. The quickest of each counts.

Compared are shares of run time: what the mended program saves of the faulty one's, and what the
transformed replay saves of the unchanged one's. Writes lab/replay/replay-transforms.md;
`lab/replay/replay-transforms.sh` calls it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab/rounds"))

from run import Program, absolute, empty, expected  # noqa: E402
from transforms_page import HELD_OUT_TRY, shares, write  # noqa: E402

#: By the cause of a program of a round.
CAUSES = {
    "small-writes": ["larger-requests"],
    "small-reads": ["larger-requests"],
    "unbuffered-stream": ["larger-requests"],
    "fsync-often": ["no-fsync"],
    "sync-open": ["no-fsync"],
    "reread-same-data": ["drop-redundant"],
    "failed-opens": ["drop-failed"],
    "stat-polling": ["drop-redundant"],
    "open-close-often": ["batch-metadata"],
    "many-small-files": ["fewer-files", "batch-metadata"],
    "temporary-files": ["drop-temporary"],
    "shared-file-contention": ["aggregate"],
    "independent-instead-of-collective": ["aggregate"],
}
#: Rounds whose programs run.
ROUNDS = ["9", "10", "11", "12", "13", "14", "15", "16"]
#: Rounds whose programs were replayed for the first time when the transforms were as they are.
HELD_OUT = ["1", "2", "3", "4", "5", "6", "7", "8"]
#: Program, ranks, scale, and the transforms that do what its remedy does.
WORKLOADS = [
    ("small_unaligned", 4, 40, ["larger-requests"]),
    ("strided_shared_file", 4, 8, ["aggregate"]),
    ("block_checkpoint", 4, 8, ["aggregate"]),
    ("fortran_columns", 4, 8, ["aggregate"]),
    ("redundant_reads", 4, 40, ["drop-redundant"]),
    ("fsync_per_write", 4, 2, ["no-fsync"]),
    ("reopen_per_record", 4, 40, ["batch-metadata"]),
    ("metadata_storm", 4, 8, ["fewer-files", "batch-metadata"]),
    ("file_per_process", 4, 8, ["fewer-files"]),
    ("text_output", 4, 8, ["larger-requests"]),
    ("plotfiles", 4, 1, ["larger-requests"]),
    ("data_sieving", 4, 4, ["aggregate"]),
    ("threads", 2, 4, ["larger-requests"]),
    ("direct_requests", 1, 4, ["larger-requests"]),
    ("fortran_formatted", 1, 4, ["larger-requests"]),
]


class Workload:
    """A program of workloads/, run like one of a round."""

    def __init__(self, program: Path, ranks: int, scale: int, variant: str, folders: Path):
        self.launcher = ["mpirun.mpich", "-n", str(ranks)] if ranks > 1 else []
        self.program, self.folders = program, folders
        self.words = ["--variant", variant, "--scale", str(scale), "--dir"]

    def run(self, wrap: list[str]) -> None:
        folder = tempfile.mkdtemp(dir=self.folders)
        command = [*wrap, *self.launcher, self.program, *self.words, folder]
        subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        empty(Path(folder))


def run_time_s(diya: str, log: Path) -> float:
    """How long the recorded run took."""
    done = subprocess.run(
        [diya, "sql", "-q", "--format", "json", str(log), "select run_time_s from job"],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)[0]["run_time_s"]


def replay(diya: str, log: Path, folder: Path | str, transforms: list[str]) -> dict:
    """What the replay tells; `--model` as the folder issues nothing."""
    words = [word for name in transforms for word in ("--transform", name)]
    # Kept, for a minute after many files were removed ext4 is slow to make new ones.
    kept = [] if folder == "--model" else ["--keep"]
    command = [diya, "replay", "--quiet", "--yes", "--json", *kept, *words, str(log), str(folder)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def in_calls_s(told: dict, when: str) -> float:
    """Seconds in calls, summed over ranks."""
    return sum(of[when] for of in told["classes"])


def measure(name: str, variants: dict, transforms: list[str], options, folders: Path) -> dict:
    """Seconds of the program, its mended variant, both replays, and what `--model` estimates:
    `run` from start to end, `calls` inside I/O calls."""
    seconds: dict[str, dict[str, list[float]]] = {"run": {}, "calls": {}}

    def add(what: str, run_s: float, calls_s: float) -> None:
        seconds["run"].setdefault(what, []).append(run_s)
        seconds["calls"].setdefault(what, []).append(calls_s)

    for _ in range(options.turns):
        for variant, program in variants.items():
            log = options.work / f"{name}.{variant}.diya"
            program.run([options.diya, "run", "-q", "--force", "-o", str(log), "--"])
            told = replay(options.diya, log, "--model", [])
            add(variant, run_time_s(options.diya, log), in_calls_s(told, "recorded_s"))
        log = options.work / f"{name}.before.diya"
        told = replay(options.diya, log, "--model", transforms)
        add("modelled", told["elapsed_s"], in_calls_s(told, "issued_s"))
        for what, changes in (("replay", []), ("transformed", transforms)):
            folder = Path(tempfile.mkdtemp(dir=folders))
            told = replay(options.diya, log, folder, changes)
            add(what, told["elapsed_s"], in_calls_s(told, "issued_s"))
            empty(folder)
    return {kind: {what: min(times) for what, times in of.items()} for kind, of in seconds.items()}


def cases(options, folders: Path):
    """Name, variants, transforms and cause, each built when it is its turn."""
    for name, ranks, scale, transforms in [] if options.held_out else WORKLOADS:

        def build(name=name, ranks=ranks, scale=scale):
            of = lambda variant: Workload(options.workloads / name, ranks, scale, variant, folders)
            return {variant: of(variant) for variant in ("before", "after")}

        yield name, build, transforms, "workload"
    for number in HELD_OUT if options.held_out else ROUNDS:
        for path in sorted((ROOT / "lab/rounds" / number).glob("*/case.toml")):
            spec = expected(path.parent)
            if spec["kind"] != "fault" or spec["cause"] not in CAUSES:
                continue

            def build(case=path.parent, spec=spec):
                of = lambda variant: Program(case, spec, variant, folders, options.python)
                return {variant: of(variant) for variant in ("before", "after")}

            yield path.parent.name, build, CAUSES[spec["cause"]], spec["cause"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diya", required=True)
    parser.add_argument("--workloads", type=absolute, required=True)
    parser.add_argument("--work", type=absolute, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--folder", default="/var/tmp", help="on the file system to measure")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--held-out", action="store_true", help="programs of rounds 1 to 8, for a first try")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / ("held_out.json" if options.held_out else "results.json")
    results = json.loads(kept.read_text()) if kept.exists() else {}
    with tempfile.TemporaryDirectory(prefix="diya-replay.", dir=options.folder) as name:
        for case, build, transforms, cause in cases(options, Path(name)):
            if options.only and case not in options.only:
                continue
            about = {"transforms": transforms, "cause": cause, "load": os.getloadavg()[0]}
            try:
                about["s"] = measure(case, build(), transforms, options, Path(name))
            except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
                detail = getattr(error, "stderr", "") or ""
                detail = detail.decode(errors="replace") if isinstance(detail, bytes) else detail
                about["failed"] = detail.strip().splitlines()[-1] if detail.strip() else str(error)
            results[case] = about
            print(case, about.get("s", about.get("failed")), flush=True)
            kept.write_text(json.dumps(results, indent=1))
    if options.held_out:
        HELD_OUT_TRY.write_text(shares(results))
        results = json.loads((options.work / "results.json").read_text())
    write(ROOT / "lab/replay/replay-transforms.md", results)


if __name__ == "__main__":
    main()
