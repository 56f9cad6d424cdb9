"""The page lab/replay/replay-transforms.md, from the results of transforms.py."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

#: A prediction is near when it is no more than so many times too large or too small.
NEAR = 2.0
#: By how much the time of an unchanged replay may differ from that of the recorded run.
ALIKE = 0.2
#: A smaller change of the time is none that could be foretold.
LEAST_SHARE = 0.05
#: What the first try gave, before any transform was changed for these programs.
FIRST_TRY = Path(__file__).with_name("first_try.json")

#: The first try with programs of rounds 1 to 8, which came when the transforms were as they are.
HELD_OUT_TRY = Path(__file__).with_name("held_out.json")

HEAD = """# How well a transform foretells a fix

`lab/replay/replay-transforms.sh` writes this page. Each program was recorded, and so was its mended
variant; the recording of the faulty program was replayed as it is and with the transform that
describes the remedy, on the same disk. *Saves* is the share of the time that the mended program
saves; *foretold*, the share that the transformed replay saves of the unchanged one. Less than
nothing: it takes longer. Both are given for the time inside I/O calls, summed over ranks, which is what
a transform changes, and for the run time. The quickest of two runs of each counts. A change of less than
{least:.0%} is none to foretell.

Why some run times are foretold less well: a replay keeps the computing between calls, but for what
belongs to calls that a transform drops ([replay.md](guide/replay.md)); and what ranks send to each other
in the mended program is not in the replay: where four ranks share two processors, that is the run time of the
small programs of `workloads/`.
"""

#: What is compared, and its words.
KINDS = {"calls": "time in calls", "run": "run time"}


@dataclass
class Row:
    """Shares of one program, by kind: saved, foretold."""

    name: str
    shares: dict[str, tuple[float, float]]
    about: dict

    @staticmethod
    def of(name: str, about: dict) -> Row:
        def share(seconds: dict, whole: str, part: str) -> float:
            return 1 - seconds[part] / seconds[whole]

        shares = {}
        for kind, of in about["s"].items():
            saves = share(of, "before", "after")
            shares[kind] = (saves, share(of, "replay", "transformed"))
            shares[f"{kind} of a model"] = (saves, share(of, "before", "modelled"))
        return Row(name, shares, about)

    def counts(self, kind: str) -> bool:
        return abs(self.shares[kind][0]) >= LEAST_SHARE

    def is_right(self, kind: str) -> bool:
        saves, foretold = self.shares[kind]
        return saves * foretold > 0

    def is_near(self, kind: str) -> bool:
        saves, foretold = self.shares[kind]
        return self.is_right(kind) and 1 / NEAR <= foretold / saves <= NEAR

    def word(self, kind: str) -> str:
        if not self.counts(kind):
            return "- | -"
        saves, foretold = (f"{share:.2f}" for share in self.shares[kind])
        mark = "" if self.is_near(kind) else " (size)" if self.is_right(kind) else " (direction)"
        return f"{saves} | {foretold}{mark}"


def shares(results: dict) -> str:
    """What was measured, as kept for a first try: by program and kind, saved and foretold."""
    kept = {}
    for name, about in results.items():
        if "s" in about:
            of = Row.of(name, about).shares
            kept[name] = {kind: [round(share, 3) for share in of[kind]] for kind in KINDS}
    lines = [f' "{name}": {json.dumps(of)}' for name, of in kept.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def score(rows: list[Row], kind: str) -> str:
    of = [row for row in rows if row.counts(kind)]
    right, near = (sum(test(row, kind) for row in of) for test in (Row.is_right, Row.is_near))
    many = max(len(of), 1)
    return f"{right} of {len(of)} ({right / many:.0%}) | {near} of {len(of)} ({near / many:.0%})"


def write(path: Path, results: dict) -> None:
    rows = [Row.of(name, about) for name, about in results.items() if "s" in about]
    first = [Row(name, of, {}) for name, of in json.loads(FIRST_TRY.read_text()).items()]
    held_out = [Row(name, of, {}) for name, of in json.loads(HELD_OUT_TRY.read_text()).items()]
    lines = [
        HEAD.format(least=LEAST_SHARE),
        "| | direction right | size within a factor of 2 |",
        "|---|---:|---:|",
    ]
    for kind, words in KINDS.items():
        lines.append(f"| {words} | {score(rows, kind)} |")
        lines.append(f"| {words}, by `--model` without a replay | {score(rows, f'{kind} of a model')} |")
        lines.append(f"| {words}, first try | {score(first, kind)} |")
        lines.append(f"| {words}, first try with programs of rounds 1 to 8 | {score(held_out, kind)} |")
    loads = [row.about["load"] for row in rows]
    of_run = [row.about["s"]["run"] for row in rows]
    alike = sum(abs(of["replay"] / of["before"] - 1) <= ALIKE for of in of_run)
    lines += [
        "",
        "The first try is that of transforms that nobody had held against these programs, by a list of causes and",
        "transforms that was fixed before. Changed after it: `no-fsync` also opens nothing with `O_SYNC`;",
        "`aggregate` puts reads together, too; failed opens and temporary files have transforms (`drop-failed`,",
        "`drop-temporary`; the first try had `drop-redundant` and `node-local`); one container file is also",
        "opened once (`batch-metadata`); with dropped calls goes the time of the library around them, the lock before",
        "them, and what lies between two of them about names. Only then were the programs of rounds 1 to 8 recorded and",
        "replayed, by the same list (`lab/replay/replay-transforms.sh --held-out`): no transform has been changed for them.",
        "",
        f"The unchanged replay took as long as the recorded run, within {ALIKE:.0%}, for {alike} of {len(rows)} programs.",
        f"Load averages while they ran: {min(loads):.1f} to {max(loads):.1f} on two processors.",
    ]
    failed = {name: about["failed"] for name, about in results.items() if "failed" in about}
    lines += [f"Not measured: {name} ({why})." for name, why in failed.items()]
    names = " | ".join(f"{words}: saves | foretold" for words in KINDS.values())
    lines += ["", f"| program | fault | transform | {names} |", "|---|---|---|---:|---:|---:|---:|"]
    for row in rows:
        cells = [row.word(kind) for kind in KINDS]
        transforms = ", ".join(row.about["transforms"])
        lines.append(f"| {row.name} | {row.about['cause']} | {transforms} | {' | '.join(cells)} |")
    path.write_text("\n".join(lines) + "\n")
