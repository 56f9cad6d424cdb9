#!/usr/bin/env python3
"""Predicted against measured gains of every fix in workloads/, per file system.

The faulty variant runs under ``diya run``; its report says how many seconds the
fix of each finding would win. Then the mended variant runs, and the program's
own clock says what it won. Both run several times in turns, and the quickest
run of each counts: others on the machine only ever make a run slower.

A gain is *inside* when it lies in the predicted range, give or take the noise
(the spread of the two quickest runs); *inside x2* in the range widened by a
factor of 2; else *outside*. Where the report has no such finding it predicts
that nothing much is to be won: inside up to 2 % of the run, the limit of a
warning.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Share of the run below which a report calls a finding "info".
NOT_WORTH_RATIO = 0.02
WIDENED_BY = 2.0
RANKS = 2


@dataclass
class Pair:
    """A workload with its fix, and the findings that the fix addresses."""

    workload: str
    checks: list[str]
    scale: float = 1.0
    network_scale: float = 1.0
    ranks: int = RANKS


@dataclass
class Outcome:
    """What was predicted and measured, in seconds."""

    pair: Pair
    place: str
    finding: str | None
    low_s: float
    high_s: float
    before_s: float
    after_s: float
    run_s: float
    noise_s: float

    @property
    def gain_s(self) -> float:
        return self.before_s - self.after_s

    @property
    def verdict(self) -> str:
        """inside, inside x2, or outside."""
        if self.finding is None:
            # Nothing was promised, so only a gain that was there is a miss.
            is_small = self.gain_s <= NOT_WORTH_RATIO * self.run_s + self.noise_s
            return "inside" if is_small else "outside"
        for factor, name in ((1.0, "inside"), (WIDENED_BY, "inside x2")):
            low_s, high_s = self.low_s / factor, self.high_s * factor
            if low_s - self.noise_s <= self.gain_s <= high_s + self.noise_s:
                return name
        return "outside"

    @property
    def is_bad_advice(self) -> bool:
        """A fix that made things worse, recommended as a gain."""
        is_recommended = self.finding is not None and (self.low_s + self.high_s) / 2 >= NOT_WORTH_RATIO * self.run_s
        return is_recommended and self.gain_s < -self.noise_s - 0.05 * self.before_s


def run(pair: Pair, diya: Path, place: Path, records: Path, scale: float) -> dict[str, float]:
    """Run all variants of a workload, recorded; the seconds of their I/O by variant."""
    command = [sys.executable, ROOT / "workloads/run.py", "--only", pair.workload, "--scale", str(scale)]
    command += ["--ranks", str(pair.ranks), "--work", place, "--wrap", f"{diya} run -o {records}/{{name}}.diya --"]
    for old in records.glob("*.diya"):
        old.unlink()
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(f"{pair.workload}: {done.stdout[-300:]}{done.stderr[-300:]}")
    answers = place.glob(f"{pair.workload}.*.json")
    return {path.name.split(".")[1]: json.loads(path.read_text())["io_s"] for path in answers}


def predicted(pair: Pair, diya: Path, log: Path, profile: Path | None) -> tuple[str | None, float, float, float]:
    """The finding that the fix addresses with the most to win, its range, and the run time."""
    command = [diya, "report", "--format", "json", "--metrics", "none", "--quiet", log]
    if profile:
        command += ["--profile", profile]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    report = report[0] if isinstance(report, list) else report
    found = [f for f in report["findings"] if f["id"] in pair.checks and f["lost_high_s"] is not None]
    run_s = report["verdict"]["run_s"] or 0.0
    if not found:
        return None, 0.0, 0.0, run_s
    most = max(found, key=lambda f: (f["lost_low_s"] or 0.0) + f["lost_high_s"])
    return most["id"], most["lost_low_s"] or 0.0, most["lost_high_s"], run_s


def outcome(pair: Pair, place: str, folder: Path, diya: Path, arguments, profile: Path | None) -> Outcome:
    """Predict and measure one pair on one file system."""
    scale = pair.network_scale if place == "network" else pair.scale
    records = arguments.records / place
    records.mkdir(parents=True, exist_ok=True)
    before, after, best = [], [], None
    for _ in range(arguments.rounds):
        seconds = run(pair, diya, folder, records, scale)
        if not before or seconds["before"] < min(before):
            best = predicted(pair, diya, records / f"{pair.workload}.before.diya", profile)
        before.append(seconds["before"])
        after.append(seconds["after"])
    noise_s = sum(sorted(times)[1] - min(times) for times in (before, after) if len(times) > 1)
    finding, low_s, high_s, run_s = best
    return Outcome(pair, place, finding, low_s, high_s, min(before), min(after), run_s, noise_s)


def seconds(value: float) -> str:
    """Three digits of a number of seconds."""
    return f"{value:.3g}" if abs(value) >= 0.001 else "0"


def table(outcomes: list[Outcome]) -> str:
    """The table of a place as Markdown."""
    lines = ["| workload | finding | predicted, s | before, s | after, s | gain, s | noise, s | |", "|---|---|---:|---:|---:|---:|---:|---|"]
    for o in outcomes:
        span = f"{seconds(o.low_s)} to {seconds(o.high_s)}" if o.finding else "nothing"
        verdict = o.verdict + (", made worse" if o.is_bad_advice else "")
        numbers = " | ".join(seconds(v) for v in (o.before_s, o.after_s, o.gain_s, o.noise_s))
        lines.append(f"| {o.pair.workload} | {o.finding or '-'} | {span} | {numbers} | {verdict} |")
    return "\n".join(lines)


def summary(outcomes: list[Outcome]) -> str:
    """Shares of the verdicts, in a sentence."""
    count = len(outcomes)
    inside = sum(o.verdict == "inside" for o in outcomes)
    wide = inside + sum(o.verdict == "inside x2" for o in outcomes)
    worse = sum(o.is_bad_advice for o in outcomes)
    return (
        f"{inside} of {count} gains ({inside / count:.0%}) are inside the predicted range, {wide} ({wide / count:.0%})"
        f" inside the range widened by 2 (target 80 %); {worse} fixes that made things worse were recommended (target 0)."
    )


def main() -> int:
    """Measure the named places, print the tables, write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--records", type=Path, required=True, help="folder for recordings, on none of the places")
    parser.add_argument("--place", action="append", required=True, metavar="NAME=FOLDER", help="memory, disk, network")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[], help="names of workloads")
    parser.add_argument("--json", type=Path, help="where the outcomes go, added to those that are there")
    arguments = parser.parse_args()
    diya = arguments.diya.resolve()
    pairs = [Pair(**pair) for pair in tomllib.loads((HERE / "gains.toml").read_text())["pair"]]
    pairs = [pair for pair in pairs if pair.workload in (arguments.only or [pair.workload])]
    for named in arguments.place:
        place, _, folder = named.partition("=")
        folder = Path(folder)
        profile = calibrated(diya, folder, arguments.records / f"{place}.profile")
        outcomes = []
        for pair in pairs:
            try:
                outcomes.append(outcome(pair, place, folder, diya, arguments, profile))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            print(table(outcomes[-1:]).splitlines()[-1], flush=True)
        print(f"\n{place}: {summary(outcomes)}\n" if outcomes else f"{place}: nothing measured")
        if arguments.json:
            store(arguments.json, place, folder, outcomes, arguments.rounds)
    return 0


def calibrated(diya: Path, folder: Path, profile: Path) -> Path | None:
    """Measure the file system with ``diya calibrate``; None when there is no such command."""
    done = subprocess.run([diya, "calibrate", folder, "-o", profile], capture_output=True, text=True)
    return profile if done.returncode == 0 else None


def store(path: Path, place: str, folder: Path, outcomes: list[Outcome], rounds: int) -> None:
    """Keep the outcomes of a place for the page."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    kept[place] = {
        "table": table(outcomes),
        "summary": summary(outcomes),
        "rounds": rounds,
        "date": time.strftime("%Y-%m-%d"),
        "counts": {
            "pairs": len(outcomes),
            "inside": sum(o.verdict == "inside" for o in outcomes),
            "widened": sum(o.verdict != "outside" for o in outcomes),
            "worse": sum(o.is_bad_advice for o in outcomes),
        },
        "cores": os.cpu_count(),
    }
    path.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    sys.exit(main())
