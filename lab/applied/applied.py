#!/usr/bin/env python3
"""What `diya run --apply` alone reaches on the programs of the rounds, and what it breaks.

    python3 lab/applied/applied.py --diya PATH --work FOLDER [--only NAME ...]

All programs of three rounds, and of the other rounds those whose fault is of a kind that a
setting can mend: by the cause that was written down before any report.

Each program runs recorded, in turns: as it is, with what `diya tune` wrote for its own
recording, with `--apply auto`, and its mended variant as it is. The quickest run of each
counts, by the run time in its recording: writing the recording does not. Files that differ
between two plain runs (dates, random numbers) are not compared; all others have to be the same
byte for byte.

Writes lab/applied/applied.md; `lab/applied/applied.sh` calls it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab/rounds"))

from run import Program, absolute, expected  # noqa: E402

#: Share of the time by which `auto` may make a program slower.
SLOWER = 0.05
#: Share of the mended variant's saving that counts as reached.
REACHED = 0.5
#: Rounds of which all programs run.
WHOLE = ["9", "10", "11"]
#: Causes that a setting can mend, and whether it changes durability (`--accept`).
MENDABLE = {"small-writes": False, "unbuffered-stream": False, "fsync-often": True, "sync-open": True}
#: Runs of each variant; more where the two quickest of the plain runs differ by more than QUIET,
#: or where one with settings looks slower.
TRIES, MOST_TRIES, QUIET = 3, 7, 0.03


@dataclass
class Runs:
    """Times of a variant, and its files by name."""

    seconds: list[float] = field(default_factory=list)
    files: list[dict[str, str]] = field(default_factory=list)

    @property
    def best_s(self) -> float:
        return min(self.seconds)

    @property
    def noise(self) -> float:
        """By how much the two quickest runs differ, as a share."""
        first, second = sorted(self.seconds)[:2]
        return (second - first) / first


def digests(folder: Path) -> dict[str, str]:
    """The files that a program left, by their path."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def changed(plain: Runs, other: Runs) -> list[str]:
    """Files that are the same in all plain runs, and not in one of the others."""
    first, *rest = plain.files
    stable = {name for name, digest in first.items() if all(one.get(name) == digest for one in rest)}
    names = set.intersection(*(set(one) for one in plain.files))
    differs = {name for one in other.files for name in stable if one.get(name) != first[name]}
    return sorted(differs | {name for one in other.files for name in names - set(one)})


def measure(case: Path, args: argparse.Namespace, folders: Path) -> dict:
    """Runs a program in all ways."""
    spec = expected(case)
    before = Program(case, spec, "before", folders, args.python)
    after = Program(case, spec, "after", folders, args.python) if spec["kind"] == "fault" else None
    log, settings = args.work / f"{case.name}.diya", args.work / f"{case.name}.settings"
    record = [args.diya, "run", "-q", "--force", "-o", str(log)]
    runs = {name: Runs() for name in ("plain", "tuned", "auto", "mended")}

    def once(name: str, program: Program, *options: str) -> None:
        # What is recorded with settings is no ground for settings.
        kept = log if name == "plain" else args.work / f"{case.name}.{name}.diya"
        program.run([*record[:-1], str(kept), *options, "--"], look=lambda f: runs[name].files.append(digests(f)))
        runs[name].seconds.append(run_time_s(args.diya, kept))

    once("plain", before)
    subprocess.run([args.diya, "tune", "-q", str(log), "-o", str(settings)], check=True, capture_output=True)
    is_tuned = settings.exists() and bool(applicable(settings))
    # Only where the fault is the missing durability itself: a user would have to say so.
    needs_yes = sorted(risky() & set(applicable(settings))) if is_tuned and MENDABLE.get(spec.get("cause")) else []
    accepted = [word for name in needs_yes for word in ("--accept", name)]
    for turn in range(MOST_TRIES):
        looks_slower = any(
            runs[name].seconds and runs[name].best_s > runs["plain"].best_s * (1 + SLOWER) for name in ("tuned", "auto")
        )
        if turn >= TRIES and runs["plain"].noise <= QUIET and not looks_slower:
            break
        once("plain", before)
        once("auto", before, "--apply", "auto")
        if is_tuned:
            once("tuned", before, "--apply", str(settings), *accepted)
        if after:
            once("mended", after)
    result = {
        "name": case.name,
        "round": case.parent.name,
        "kind": spec["kind"],
        "cause": spec.get("cause"),
        "settings": applicable(settings) if is_tuned else [],
        "accepted": needs_yes,
        "load": os.getloadavg()[0],
    }
    for name, one in runs.items():
        if one.seconds:
            result[name] = {"s": one.best_s, "noise": one.noise if len(one.seconds) > 1 else 0.0}
    for name in ("tuned", "auto"):
        if runs[name].seconds:
            result[name]["changed"] = changed(runs["plain"], runs[name])
    result["auto"]["applied"] = applied_in(args.diya, args.work / f"{case.name}.auto.diya")
    return result


def applied_in(diya: str, log: Path) -> list[str]:
    """Settings that changed something in a recorded run."""
    statement = "select distinct setting from applied where why_not is null order by setting"
    done = subprocess.run(
        [diya, "sql", "-q", "--format", "json", str(log), statement], check=True, capture_output=True, text=True
    )
    return [row["setting"] for row in json.loads(done.stdout)]


def run_time_s(diya: str, log: Path) -> float:
    """How long the recorded run took."""
    words = [diya, "sql", "-q", "--format", "json", str(log), "select run_time_s from job"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)[0]["run_time_s"]


def applicable(settings: Path) -> list[str]:
    """Names of the settings that `diya run --apply FOLDER` takes from a folder."""
    names = []
    for file in ("program.conf", "romio-hints.txt", "openmpi-mca-params.conf"):
        path = settings / file
        lines = path.read_text().splitlines() if path.exists() else []
        names += [line.split()[0] for line in lines if line and not line.startswith("#")]
    return sorted(set(names))


def share(result: dict) -> float | None:
    """Share of the mended variant's saving that the settings reach; None: nothing to reach."""
    if "tuned" not in result or "mended" not in result:
        return None
    plain_s = result["plain"]["s"]
    best_s = plain_s - result["mended"]["s"]
    worth_s = max(result["plain"]["noise"] * plain_s, SLOWER * plain_s)
    return (plain_s - result["tuned"]["s"]) / best_s if best_s > worth_s else None


def is_slower(result: dict, name: str) -> bool:
    """By more than the limit, and by more than the noise of both."""
    if name not in result:
        return False
    noise = max(SLOWER, result["plain"]["noise"], result[name]["noise"])
    return result[name]["s"] > result["plain"]["s"] * (1 + noise)


def risky() -> set[str]:
    """Settings that are not applied without `--accept`: here they are not."""
    tomls = (tomllib.loads(path.read_text()) for path in (ROOT / "tuning/program").glob("*.toml"))
    return {setting["key"] for setting in tomls if "risk" in setting}


def is_mendable(result: dict) -> bool:
    """Whether a setting can mend this fault, and mending it gains more than the noise."""
    if result.get("cause") not in MENDABLE or "mended" not in result:
        return False
    plain, mended = result["plain"], result["mended"]
    return plain["s"] - mended["s"] > max(plain["noise"], SLOWER) * plain["s"]


def reached_of(result: dict) -> float:
    """Share of the mended variant's saving; 0 where `diya tune` had no setting."""
    return share(result) or 0.0


def page(results: list[dict]) -> str:
    """The table as Markdown."""
    needs_yes = risky()
    # A setting that waits for a yes changed nothing in this run.
    results = [
        r
        if set(r["settings"]) - (needs_yes - set(r.get("accepted", [])))
        else {k: v for k, v in r.items() if k != "tuned"}
        for r in results
    ]
    mendable = [r for r in results if is_mendable(r)]
    reached = [r["name"] for r in mendable if reached_of(r) >= REACHED]
    missed = [r["name"] for r in mendable if reached_of(r) < REACHED]
    tuned = [r for r in results if "tuned" in r]
    changed_by = {name: [r["name"] for r in results if r.get(name, {}).get("changed")] for name in ("tuned", "auto")}
    slower = {name: [r["name"] for r in results if is_slower(r, name)] for name in ("tuned", "auto")}
    by_chance = [r["name"] for r in results if r["name"] in slower["auto"] and not r["auto"]["applied"]]
    slower["auto"] = [name for name in slower["auto"] if name not in by_chance]
    lines = [
        "# What settings reach without a change of the program",
        "",
        "`lab/applied/applied.sh` writes this page: programs of the rounds ([lab/rounds](../rounds/README.md)), each recorded in turns as it",
        "is, with what `diya tune` wrote for its recording (`--apply FOLDER`), with `--apply auto`, and its mended variant.",
        "All programs of rounds 9 to 11, and of the other rounds those with a fault that a setting can mend: by the cause that was written",
        f"down before any report ({', '.join(MENDABLE)}). Where the fault is that each write waits for the disk, the setting is",
        "accepted by name (`--accept no_fsync`). Times are shares of the plain run, the quickest of at least three each.",
        "",
        f"- {len(results)} programs. Results changed: {len(changed_by['tuned'])} with the settings of `diya tune`{named(changed_by['tuned'])}, {len(changed_by['auto'])} with `auto`{named(changed_by['auto'])}.",
        f"- Slower by more than 5 % and the noise: {len(slower['tuned'])} of {len(tuned)} with `diya tune`{named(slower['tuned'])}, {len(slower['auto'])} with `auto`{named(slower['auto'])}."
        f" Where `auto` applied nothing, {len(by_chance)} more{named(by_chance)}: runs differ by that much without a cause.",
        f"- Of {len(mendable)} programs with a fault that a setting can mend, the settings reach at least half of the saving of the mended"
        f" source in {len(reached)}. Missed: {', '.join(missed) or 'none'}.",
        "",
        *note_of_load(results),
        "| program | fault | settings | with them | with auto | mended | share of the saving | result |",
        "|---|---|---|---:|---:|---:|---:|---|",
    ]
    for r in sorted(results, key=lambda r: (not is_mendable(r), int(r["round"]), r["name"])):
        ratio = lambda name: f"{r[name]['s'] / r['plain']['s']:.2f}" if name in r else "-"  # noqa: E731
        part = share(r)
        differs = sorted({file for name in ("tuned", "auto") for file in r.get(name, {}).get("changed", [])})
        words = [
            f"{name} (not accepted)" if name in needs_yes - set(r.get("accepted", [])) else name
            for name in r["settings"]
        ]
        lines.append(
            f"| {r['name']} | {r.get('cause') or 'none'} | {', '.join(words) or '-'} | {ratio('tuned')} | {ratio('auto')} | {ratio('mended')} |"
            f" {'-' if part is None else f'{part:.0%}'} | {'changed: ' + ', '.join(differs) if differs else 'equal'} |"
        )
    return "\n".join(lines) + "\n"


def is_wanted(case: Path, only_mendable: bool) -> bool:
    """Whether a program belongs to the set."""
    return expected(case).get("cause") in MENDABLE or (case.parent.name in WHOLE and not only_mendable)


def note_of_load(results: list[dict]) -> list[str]:
    """Other programs on the machine make single times longer."""
    loads = [r["load"] for r in results if "load" in r]
    if not loads:
        return []
    busy = f"Load averages of {min(loads):.0f} to {max(loads):.0f} on {os.cpu_count()} processors"
    others = ""
    if len(loads) < len(results):
        others = " Theirs is the run time in the log; the others were timed as commands, with the writing of the log."
    return [f"{busy} while {len(loads)} of the programs ran: their times vary more.{others}", ""]


def named(names: list[str]) -> str:
    return f" ({', '.join(names)})" if names else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=absolute, required=True)
    parser.add_argument("--work", type=absolute, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--mendable", action="store_true", help="only programs with a fault that a setting can mend")
    parser.add_argument("--round", help="all programs of this round, and the page is printed")
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    kept = args.work / "results.json"
    results = {r["name"]: r for r in json.loads(kept.read_text())} if kept.exists() else {}
    cases = [
        path.parent
        for path in sorted((ROOT / "lab/rounds").glob("*/*/case.toml"))
        if (path.parent.parent.name == args.round if args.round else is_wanted(path.parent, args.mendable))
    ]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="diya-applied.", dir="/var/tmp") as folders:
        for case in cases:
            if args.only and case.name not in args.only:
                continue
            try:
                results[case.name] = measure(case, args, Path(folders))
            except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
                failed += 1
                detail = getattr(error, "stderr", b"") or b""
                print(f"{case.name}: FAILED {error} {detail[-300:]!r}", file=sys.stderr, flush=True)
                continue
            print(json.dumps(results[case.name]), flush=True)
            kept.write_text(json.dumps(list(results.values()), indent=1))
    text = page(list(results.values()))
    if args.round:
        print(text)
    else:
        (ROOT / "lab/applied/applied.md").write_text(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
