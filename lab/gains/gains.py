#!/usr/bin/env python3
"""Predicted against measured gains of every fix in workloads/, per file system.

The faulty variant runs under ``diya run``; its report says how many seconds the
fix of each finding would win. Then the mended variant runs, and the program's
own clock says what it won. Both run several times in turns, and the quickest
run of each counts: others on the machine only ever make a run slower.

A gain is *inside* when it lies in the predicted range, give or take the noise
(the spread of the two quickest runs); *inside x2* in the range widened by a
factor of 2; else *outside*. Where the report has no such finding, or calls it
not worth a warning, it predicts that nothing much is to be saved: inside up to 2 %
of the run, the limit of a warning.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Share of the run below which a report calls a finding "info".
NOT_WORTH_RATIO = 0.02
WIDENED_BY = 2.0
#: Where repeats differ by more than this share of the time, no gain can be judged.
MAX_NOISE_RATIO = 0.5
#: Programs shorter than this run up to MAX_ROUNDS times, as long as the two quickest runs differ.
SHORT_S = 0.5
MAX_ROUNDS = 7
#: Share by which the two quickest runs of a short program may differ to stop early.
QUIET_RATIO = 0.05
RANKS = 2
RUN_TIMEOUT_S = 400


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
        """inside, inside x2, outside, or too noisy to tell."""
        if self.noise_s > MAX_NOISE_RATIO * self.before_s:
            return "too noisy"
        for factor, name in ((1.0, "inside"), (WIDENED_BY, "inside x2")):
            low_s, high_s = self.low_s / factor, self.high_s * factor
            if not self.is_recommended:
                # Nothing was promised, so only a gain that was there is a miss.
                low_s, high_s = -math.inf, max(high_s, NOT_WORTH_RATIO * self.run_s)
            if low_s - self.noise_s <= self.gain_s <= high_s + self.noise_s:
                return name
        return "outside"

    @property
    def is_recommended(self) -> bool:
        """Whether the report calls it worth doing: a warning at least."""
        return self.finding is not None and (self.low_s + self.high_s) / 2 >= NOT_WORTH_RATIO * self.run_s

    @property
    def is_bad_advice(self) -> bool:
        """A fix that made things worse, recommended as a gain."""
        if self.verdict == "too noisy":
            return False
        return self.is_recommended and self.gain_s < -self.noise_s - 0.05 * self.before_s


def is_settled(before: list[float], after: list[float], rounds: int) -> bool:
    """Whether runs enough are made: short programs repeat until the two quickest runs agree."""
    if len(before) < rounds:
        return False
    if min(before) >= SHORT_S or len(before) >= MAX_ROUNDS:
        return True
    spread_s = sum(sorted(of)[1] - min(of) for of in (before, after) if len(of) > 1)
    return spread_s <= QUIET_RATIO * min(before)


def run(pair: Pair, diya: Path, place: Path, records: Path, scale: float) -> dict[str, float]:
    """Run all variants of a workload, recorded; the seconds of their I/O by variant."""
    command = [sys.executable, ROOT / "workloads/run.py", "--only", pair.workload, "--scale", str(scale)]
    command += [
        "--ranks",
        str(pair.ranks),
        "--work",
        place,
        "--wrap",
        f"{diya} run --force -o {records}/{{name}}.new.diya --",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_TIMEOUT_S)
    if done.returncode != 0:
        raise RuntimeError(f"{pair.workload}: {done.stdout[-300:]}{done.stderr[-300:]}")
    answers = place.glob(f"{pair.workload}.*.json")
    return {path.name.split(".")[1]: json.loads(path.read_text())["io_s"] for path in answers}


def measure(pairs: list[Pair], place: str, folder: Path, diya: Path, records: Path, rounds: int) -> None:
    """Run the pairs on one file system; keep the times, and the recording of the quickest *before*."""
    records.mkdir(parents=True, exist_ok=True)
    kept = records / "measured.json"
    measured = json.loads(kept.read_text()) if kept.exists() else {}
    subprocess.run([diya, "calibrate", folder, "-o", records / "machine.profile"], capture_output=True, check=False)
    for pair in pairs:
        scale = pair.network_scale if place == "network" else pair.scale
        before, after = [], []
        try:
            while not is_settled(before, after, rounds):
                seconds = run(pair, diya, folder, records, scale)
                recording = records / f"{pair.workload}.before.new.diya"
                if not before or seconds["before"] < min(before):
                    recording.replace(records / f"{pair.workload}.before.diya")
                before.append(seconds["before"])
                after.append(seconds["after"])
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            print(f"left out on {place}: {error}", file=sys.stderr, flush=True)
            continue
        finally:
            for old in records.glob("*.new.diya"):
                old.unlink()
        measured[pair.workload] = {"before_s": before, "after_s": after}
        print(f"{place:8} {pair.workload:24} before {min(before):8.3f} s, after {min(after):8.3f} s", flush=True)
        kept.write_text(json.dumps(measured, indent=1))


def predicted(pair: Pair, diya: Path, log: Path) -> tuple[str | None, float, float, float]:
    """The finding that the fix addresses with the most to win, its range, and the run time."""
    command = [diya, "report", "--format", "json", "--metrics", "none", "--quiet", log]
    profile = log.parent / "machine.profile"
    if profile.exists():
        command += ["--machine", profile]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    report = report[0] if isinstance(report, list) else report
    found = [f for f in report["findings"] if f["id"] in pair.checks and f["lost_high_s"] is not None]
    run_s = report["verdict"]["run_s"] or 0.0
    if not found:
        return None, 0.0, 0.0, run_s
    most = max(found, key=lambda f: (f["lost_low_s"] or 0.0) + f["lost_high_s"])
    return most["id"], most["lost_low_s"] or 0.0, most["lost_high_s"], run_s


def outcomes_of(pairs: list[Pair], place: str, diya: Path, records: Path) -> list[Outcome]:
    """Predict what was measured on one file system."""
    measured = json.loads((records / "measured.json").read_text())
    outcomes = []
    for pair in pairs:
        if pair.workload not in measured:
            continue
        times = [sorted(measured[pair.workload][name]) for name in ("before_s", "after_s")]
        noise_s = sum(of[1] - of[0] for of in times if len(of) > 1)
        finding, low_s, high_s, run_s = predicted(pair, diya, records / f"{pair.workload}.before.diya")
        outcomes.append(Outcome(pair, place, finding, low_s, high_s, times[0][0], times[1][0], run_s, noise_s))
    return outcomes


def seconds(value: float) -> str:
    """Three digits of a number of seconds."""
    return f"{value:.3g}" if abs(value) >= 0.001 else "0"


def table(outcomes: list[Outcome]) -> str:
    """The table of a place as Markdown."""
    lines = [
        "| workload | finding | predicted, s | before, s | after, s | gain, s | noise, s | |",
        "|---|---|---:|---:|---:|---:|---:|---|",
    ]
    for o in outcomes:
        span = f"{seconds(o.low_s)} to {seconds(o.high_s)}" if o.finding else "nothing"
        verdict = o.verdict + (", made worse" if o.is_bad_advice else "")
        numbers = " | ".join(seconds(v) for v in (o.before_s, o.after_s, o.gain_s, o.noise_s))
        lines.append(f"| {o.pair.workload} | {o.finding or '-'} | {span} | {numbers} | {verdict} |")
    return "\n".join(lines)


def width(outcomes: list[Outcome]) -> str:
    """How wide the ranges are, in a sentence: a range that holds anything says nothing."""
    clear = [o for o in outcomes if o.finding is not None and o.verdict != "too noisy" and o.high_s > 0.0]
    if not clear:
        return ""
    of_before = statistics.median((o.high_s - o.low_s) / max(o.before_s, 1e-9) for o in clear)
    ratios = [o.high_s / o.low_s for o in clear if o.low_s > 0.0]
    sure = f"; {len(ratios)} of {len(clear)} begin above zero" if clear else ""
    times = f", the high end {statistics.median(ratios):.1f} times the low one in the middle" if ratios else ""
    return f" The middle range is {of_before:.0%} of the time before wide{sure}{times}."


def summary(outcomes: list[Outcome]) -> str:
    """Shares of the verdicts, in a sentence."""
    clear = [o for o in outcomes if o.verdict != "too noisy"]
    count = max(len(clear), 1)
    inside = sum(o.verdict == "inside" for o in clear)
    wide = inside + sum(o.verdict == "inside x2" for o in clear)
    worse = sum(o.is_bad_advice for o in clear)
    return (
        f"{inside} of {len(clear)} gains ({inside / count:.0%}) are inside the predicted range, {wide}"
        f" ({wide / count:.0%}) inside the range widened by 2 (target 80 %); {worse} fixes that made things worse were"
        f" recommended (target 0); {len(outcomes) - len(clear)} more were too noisy to tell.{width(outcomes)}"
    )


PAGE = """# Predicted against measured gains

Written by `lab/gains/gains.sh`; never edited by hand.

Each faulty program of `workloads/` ran under `diya run`, and its report said how
many seconds the fix would save: the range of the finding that the fix addresses
(the one with the largest saving where several do). Then the mended program ran. Before
and after are the seconds between the first and the last I/O call of the slowest
rank by the program's own clock, the quickest of {rounds} runs each (up to {most}
where they are short and differ), on
{cores} cores that other work shared. Noise is the distance to the second quickest.

- *inside*: the gain lies in the predicted range, give or take the noise;
- *inside x2*: it lies in the range widened by a factor of 2;
- *outside*: it does not;
- *too noisy*: two quickest runs differ by more than half of the time; not counted;
- *made worse*: the fix cost time, and the report had called it worth at least 2 % of the run.

How wide the ranges are stands behind each sum: a range that holds anything says
nothing.

The prices were tuned on this set. [truth.md](truth.md) has the numbers for programs that
nobody tuned on.

Where no finding names the fault, or only as "info", the report predicts that
nothing much is to be saved: inside up to 2 % of the run, the limit of a warning,
or up to the range of the finding.

**{summary}**
"""

PLACES = {
    "memory": "Memory file system (tmpfs)",
    "disk": "Local disk (ext4)",
    "network": "Network file system (GlusterFS on loopback, four bricks, sharding on, FUSE)",
}


def main() -> int:
    """Measure the named places, then predict and print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument(
        "--records", type=Path, required=True, help="folder for recordings and times, on none of the places"
    )
    parser.add_argument(
        "--measure", action="append", default=[], metavar="PLACE=FOLDER", help="memory, disk or network"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[], help="names of workloads")
    parser.add_argument("--page", type=Path, help="where the tables go as Markdown")
    arguments = parser.parse_args()
    diya = arguments.diya.resolve()
    pairs = [Pair(**pair) for pair in tomllib.loads((HERE / "gains.toml").read_text())["pair"]]
    pairs = [pair for pair in pairs if pair.workload in (arguments.only or [pair.workload])]
    for named in arguments.measure:
        place, _, folder = named.partition("=")
        measure(pairs, place, Path(folder), diya, arguments.records / place, arguments.rounds)
    if arguments.measure and not arguments.page:
        return 0
    outcomes, sections = [], []
    for place, title in PLACES.items():
        if (arguments.records / place / "measured.json").exists():
            found = outcomes_of(pairs, place, diya, arguments.records / place)
            sections.append(f"\n## {title}\n\n{table(found)}\n\n{summary(found)}\n")
            outcomes += found
    print("".join(sections))
    print(summary(outcomes))
    if arguments.page:
        head = PAGE.format(
            rounds=arguments.rounds,
            most=max(MAX_ROUNDS, arguments.rounds),
            cores=os.cpu_count(),
            summary=summary(outcomes),
        )
        arguments.page.write_text(head + "".join(sections))
    clear = [o for o in outcomes if o.verdict != "too noisy"]
    is_kept = sum(o.verdict != "outside" for o in clear) >= 0.8 * len(clear)
    return 0 if is_kept and not any(o.is_bad_advice for o in clear) else 1


if __name__ == "__main__":
    sys.exit(main())
