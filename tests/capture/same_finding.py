#!/usr/bin/env python3
"""The same program, recorded by diya and by strace: the first finding is the same.

Each program runs as one process, twice. strace stops a program at each call, so shares
of the run time differ; which call costs most, and why, must not. Where the estimated savings
of two findings overlap, either may stand first.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

# Workloads whose fault system calls show, by the kind of call and not by how long one took,
# and how many times their usual size: one slow write must not outweigh all opens.
PROGRAMS = {"direct_requests": 1, "small_unaligned": 1, "reopen_per_record": 20}
STRACE = ["strace", "-f", "-ttt", "-T", "-y", "-o"]


def leading_findings(diya: Path, log: Path) -> list:
    """Names of the checks that may stand first: the first one, and those whose estimated saving may be larger."""
    done = subprocess.run([diya, "report", "--format", "json", "-q", log], capture_output=True, text=True, timeout=120)
    own = [f for f in json.loads(done.stdout)["findings"] if f.get("same_time_as") is None]
    if not own:
        return ["none"]
    least_s = own[0].get("lost_low_s") or 0.0
    return [own[0]["id"], *(f["id"] for f in own[1:] if (f.get("lost_high_s") or 0.0) > least_s)]


def recorded(command: list, log: Path, program: Path, scale: int, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    line = [*map(str, command), str(log), "--", str(program), "--variant", "before", "--scale", str(scale)]
    subprocess.run(line, cwd=folder, check=True, capture_output=True, timeout=300)
    return log


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True, help="folder of built workloads")
    parser.add_argument("--work", type=Path, required=True)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for name, scale in PROGRAMS.items():
        program, folder = (args.programs / name).resolve(), args.work.resolve() / name
        own = recorded(
            [args.diya.resolve(), "run", "-q", "--force", "-o"], folder.with_suffix(".diya"), program, scale, folder
        )
        other = recorded(STRACE, folder.with_suffix(".strace"), program, scale, folder)
        ours, theirs = leading_findings(args.diya, own), leading_findings(args.diya, other)
        wrong += ours[0] not in theirs or theirs[0] not in ours
        print(f"{name}: diya {ours[0]}, strace {theirs[0]}")
    print(f"{len(PROGRAMS) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
