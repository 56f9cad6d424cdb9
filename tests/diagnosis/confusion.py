#!/usr/bin/env python3
"""Planted faults against checks: what is found, what is missed, what is found wrongly.

The header of each check below ``checks/`` names the logs in which it has to find something
(``planted``), and those in which it must not (``look_alikes``). A log is

- ``scenario:NAME``, a job that never ran (``scenarios.py``);
- ``workload:NAME.VARIANT``, a program of ``workloads/``, recorded by ``diya run``;
- ``corpus:NAME``, a log of ``corpus/logs``; ``cut:NAME``, its first half;
- ``shared:PATH``, a log below the folder that DIYA_SHARED names, skipped without it.

In a log that ``planted.toml`` lists as clean, no check at all may find anything that costs
more than "info". The table says for each check how many faults were planted, found
and missed, and in how many look-alikes it found something. Exit code 1 when
recall or precision is below its target, or a check has no planted fault.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenarios import scenario

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET_RECALL, TARGET_PRECISION = 0.95, 0.90
WORKERS = 2
PAGE = """# Planted faults against checks

Written by `scripts/confusion.sh --page docs/reference/check-confusion.md`; never edited by hand.

{logs} logs: programs of `workloads/` under `diya run`, logs by Darshan of
known programs, and generated jobs for faults of a thousand ranks or of Lustre
targets. For each log, some checks must find something (planted) and others must
not (look-alikes); the header of each check names its logs. A finding of any severity
counts. Checks that were added after the last run are not in the table.

The checks were tuned on this set: these numbers show that nothing broke, not how accurate
diya is on other programs. [truth.md](../../lab/rounds/truth.md) has the accuracy for programs without tuning.

**{result}**

```
{table}
```

## What was missed or found wrongly

{wrong}
"""


@dataclass
class Case:
    """A log and what the checks have to say about it."""

    log: str
    finds: list[str] = field(default_factory=list)
    spares: list[str] = field(default_factory=list)
    clean: bool = False
    scale: float = 1.0
    #: Further options of ``diya run``.
    recording: tuple[str, ...] = ()
    #: Thresholds for ``--config``, for a fault that is planted at a smaller size.
    settings: str = ""


@dataclass
class Tally:
    """Outcomes of one check."""

    found: int = 0
    missed: int = 0
    spared: int = 0
    false: int = 0

    @property
    def planted(self) -> int:
        return self.found + self.missed

    @property
    def look_alikes(self) -> int:
        return self.spared + self.false


def read_cases() -> list[Case]:
    """The logs that the checks name, by name, each with what they find there."""
    special = tomllib.loads((HERE / "planted.toml").read_text())
    cases: dict[str, Case] = {}

    def case_of(log: str) -> Case:
        scale = special["scale"].get(program_of(log), 1.0)
        recording = tuple(special["recording"].get(program_of(log), ()))
        return cases.setdefault(log, Case(log, clean=log in special["clean"], scale=scale, recording=recording))

    for log in special["clean"]:
        case_of(log)
    for page in sorted((ROOT / "checks").rglob("*.md")):
        header = tomllib.loads(page.read_text().split("+++\n")[1])
        check, planted, look_alikes = header["id"], header.get("planted", []), header.get("look_alikes", [])
        for log in planted:
            case_of(log).finds.append(check)
        for log in look_alikes:
            case_of(log).spares.append(check)
        thresholds = special["settings"].get(check, {})
        lines = [f'["{check}"]', *(f"{name} = {value}" for name, value in thresholds.items())]
        for log in [*planted, *look_alikes] if thresholds else []:
            case_of(log).settings += "\n".join([*lines, ""])
    return [cases[log] for log in sorted(cases)]


def of_check(cases: list[Case], check: str) -> list[Case]:
    """The logs that one check names, and of them what it has to say."""
    its = (
        replace(case, finds=[check] * (check in case.finds), spares=[check] * (check in case.spares), clean=False)
        for case in cases
    )
    return [case for case in its if case.finds or case.spares]


def program_of(log: str) -> str:
    """The program of a workload: its name without the kind and the variant."""
    return log.partition(":")[2].split(".")[0]


def ratio(part: int, whole: int) -> float | None:
    """The share, or None of nothing."""
    return part / whole if whole else None


def record_workloads(cases: list[Case], diya: Path, folder: Path) -> None:
    """Record the workloads that cases name, into ``FOLDER/NAME.VARIANT.diya``."""
    groups: dict[tuple[float, tuple[str, ...]], set[str]] = {}
    for case in cases:
        if case.log.startswith("workload:"):
            groups.setdefault((case.scale, case.recording), set()).add(program_of(case.log))
    for (scale, recording), names in sorted(groups.items()):
        wrap = shlex.join([str(diya), "run", "-q", *recording, "-o", f"{folder}/{{name}}.diya", "--"])
        command = [sys.executable, ROOT / "workloads/run.py", "--mpi", "mpich", "--scale", str(scale)]
        command += ["--wrap", wrap, "--work", folder / "work", "--only", *sorted(names)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"confusion: workloads failed:\n{done.stdout}{done.stderr}")


def path_of(case: Case, folder: Path, shared: Path | None) -> Path | None:
    """Where the log of a case is, made if it is a scenario; None when it is not there."""
    kind, _, name = case.log.partition(":")
    if kind == "scenario":
        return scenario(name).write(folder / f"{name}.darshan")
    if kind == "workload":
        path = folder / f"{name}.diya"
        return path if path.exists() else None
    if kind == "corpus":
        return ROOT / "corpus/logs" / name
    if kind == "cut":
        whole = (ROOT / "corpus/logs" / name).read_bytes()
        (folder / f"cut.{name}").write_bytes(whole[: len(whole) // 2])
        return folder / f"cut.{name}"
    path = shared / "logs" / name if shared else None
    return path if path and path.exists() else None


def severities(diya: Path, log: Path, settings: str) -> tuple[dict[str, str], dict]:
    """Severity of each finding of a log (good news are "ok"), and the whole report."""
    command = [diya, "report", "--format", "json", "--metrics", "none", "--quiet", log]
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
        config.write(settings)
        config.flush()
        done = subprocess.run([*command, "--config", config.name], capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"confusion: no report of {log}: {done.stderr}")
    report = report[0] if isinstance(report, list) else report
    if report["problems"]:
        sys.exit(f"confusion: {log}: checks that failed: {report['problems']}")
    return {f["id"]: f["severity"] for f in report["findings"]}, report


def judge(case: Case, fired: dict[str, str], tallies: dict[str, Tally]) -> list[str]:
    """Count one case, and say what is wrong with it."""
    wrong = []
    for check in case.finds:
        is_found = check in fired
        tallies.setdefault(check, Tally()).found += is_found
        tallies[check].missed += not is_found
        if not is_found:
            wrong.append(f"missed  {check} in {case.log}")
    loud = [check for check, severity in fired.items() if severity in ("high", "warn")]
    spares = {*case.spares, *(loud if case.clean else ())} - set(case.finds)
    for check in sorted(spares):
        is_false = check in fired
        tallies.setdefault(check, Tally()).false += is_false
        tallies[check].spared += not is_false
        if is_false:
            wrong.append(f"false   {check} in {case.log} ({fired[check]})")
    return wrong


def table(tallies: dict[str, Tally], checks: list[str]) -> list[str]:
    """The confusion table, a line per check."""
    lines = [f"{'check':34} planted found missed  look-alikes false  recall precision"]
    total = Tally()
    for check in sorted({*checks, *tallies}):
        tally = tallies.get(check, Tally())
        lines.append(f"{check:34} {columns(tally)}")
        for name in ("found", "missed", "spared", "false"):
            setattr(total, name, getattr(total, name) + getattr(tally, name))
    lines.append(f"{'all':34} {columns(total)}")
    return lines


def columns(tally: Tally) -> str:
    """The numbers of one line."""
    shares = [ratio(tally.found, tally.planted), ratio(tally.found, tally.found + tally.false)]
    recall, precision = ("-" if share is None else f"{share:.2f}" for share in shares)
    return (
        f"{tally.planted:7} {tally.found:5} {tally.missed:6}  {tally.look_alikes:11} {tally.false:5}"
        f"  {recall:>6} {precision:>9}"
    )


def main() -> int:
    """Plant, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--shared", type=Path, help="folder that holds logs/ (cases shared:...)")
    parser.add_argument("--keep", type=Path, help="folder for the logs, kept; workloads there are not run again")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--check", help="only the logs of this check (id)")
    part.add_argument("--page", type=Path, help="where the table goes as Markdown")
    parser.add_argument("--verbose", action="store_true", help="also print findings that no case speaks of")
    arguments = parser.parse_args()
    diya = arguments.diya.resolve()
    cases = read_cases()
    known = subprocess.run([diya, "checks", "list", "--json"], capture_output=True, text=True, check=True)
    checks = [check["id"] for check in json.loads(known.stdout)]
    if arguments.check:
        if arguments.check not in checks:
            sys.exit(f"confusion: diya knows no check {arguments.check}; `diya checks list` has them")
        cases, checks = of_check(cases, arguments.check), [arguments.check]
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        is_missing = lambda case: not (folder / f"{case.log.partition(':')[2]}.diya").exists()  # noqa: E731
        record_workloads([case for case in cases if is_missing(case)], diya, folder)
        paths = {case.log: path_of(case, folder, arguments.shared) for case in cases}
        there = [case for case in cases if paths[case.log]]
        with ThreadPoolExecutor(WORKERS) as pool:
            results = list(pool.map(lambda case: severities(diya, paths[case.log], case.settings), there))
    tallies: dict[str, Tally] = {}
    wrong, others = [], Counter()
    for case, (fired, report) in zip(there, results, strict=True):
        wrong += judge(case, fired, tallies)
        for finding in report["findings"]:
            name = finding["id"]
            if fired.get(name) in ("high", "warn") and name not in case.finds:
                others[name] += 1
                if arguments.verbose:
                    print(f"also    {name} in {case.log} ({fired[name]}): {finding['text'][:110]}")
    print("\n".join(wrong))
    print("\n".join(table(tallies, checks)))
    skipped = sorted(case.log for case in cases if not paths[case.log])
    if skipped:
        lost = [log for log in skipped if arguments.shared or not log.startswith("shared:")]
        if lost and os.environ.get("CI") == "true":
            sys.exit(f"confusion: in CI nothing is left out: {', '.join(lost)}")
        print(f"not there, left out: {', '.join(skipped)}")
    unplanted = [check for check in checks if not tallies.get(check, Tally()).planted]
    unlike = [check for check in checks if not tallies.get(check, Tally()).look_alikes]
    print(
        f"{len(there)} logs; without a planted fault: {unplanted or 'none'}; without a look-alike: {unlike or 'none'}"
    )
    found = sum(tally.found for tally in tallies.values())
    recall = ratio(found, sum(tally.planted for tally in tallies.values())) or 0.0
    precision = ratio(found, found + sum(tally.false for tally in tallies.values())) or 0.0
    result = f"recall {recall:.3f} (target {TARGET_RECALL}), precision {precision:.3f} (target {TARGET_PRECISION})"
    if arguments.page:
        lines = "\n".join(table(tallies, checks))
        misses = "\n".join(f"- {line}" for line in wrong) or "None."
        arguments.page.write_text(PAGE.format(logs=len(there), result=result, table=lines, wrong=misses))
    print(result)
    return 0 if recall >= TARGET_RECALL and precision >= TARGET_PRECISION else 1


if __name__ == "__main__":
    sys.exit(main())
