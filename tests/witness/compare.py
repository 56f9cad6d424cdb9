"""Counts the I/O of real programs twice, by strace and by diya, and compares.

    python3 tests/witness/compare.py --diya PATH [--python PATH] [--quick] [--only NAME ...]

A program's own calls must be equal in number and bytes, what moves through C streams in
bytes. A difference is right only where diya's tables state it; any other is a fault of
the recorder.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import strace  # noqa: E402
from job import Job  # noqa: E402

DIRECTIONS = ("read", "write")
LIMIT_S = 600  # with the stack of each call
# Both runs are in one folder: names of files are part of what some programs write.
FOLDER = Path(f"/var/tmp/diya-witness-{os.getpid()}")
SEEN = """
select case when c.layer = 'stdio' then 'stream'
            when c.function like 'io_uring%' then 'ring'
            when c.function like 'io_submit%' or c.function like 'aio_%' then 'request'
            else 'program' end as maker,
       case when c.function = 'ungetc' then 'read' else c.op end as direction,
       sum(case when c.function = 'ungetc' then 0 else c.calls end) as calls,
       sum(case when c.function = 'ungetc' then -c.calls else c.size_bytes end) as bytes
from call as c left join file as f on f.log = c.log and f.file_id = c.file_id
where c.layer in ('posix', 'stdio') and c.error is null
  and (c.op in ('read', 'write') or c.function = 'ungetc')
  and f.path like '/%' and f.path not like '/dev/pts/%' and f.path not like '/dev/tty%'
  and f.path not like '/proc/%' and f.path not like '/sys/%'
group by 1, 2"""
STATED = """
select 'unrecorded_process: ' || base_name(program) || ' (' || reason || ')' as words, program,
       count(*) as number
from unrecorded_process where reason <> 'none' group by 1, 2
union all select 'read_issue: ' || effect, null, sum(count)
from read_issue where (loss <> 'none' or kind = 'few_not_recorded') and kind <> 'missing_process' group by 1, 2"""
PROCESSES = """
select count(*) as processes, coalesce(sum(stream_refills), 0) as refills,
       coalesce(sum(calls_dropped), 0) as dropped from process"""


@dataclass
class Count:
    """Calls and bytes by who made them and in which direction."""

    calls: Counter = field(default_factory=Counter)
    size: Counter = field(default_factory=Counter)

    def add(self, key: tuple[str, str], calls: int, size: int) -> None:
        self.calls[key] += calls
        self.size[key] += size

    def of(self, maker: str) -> list[tuple[int, int]]:
        return [(self.calls[maker, each], self.size[maker, each]) for each in DIRECTIONS]


@dataclass
class Result:
    """What both say of a program."""

    program: dict
    strace: Count
    diya: Count
    processes: dict
    stated: list[str]
    faults: list[str] = field(default_factory=list)


def question(diya: str, log: Path, sql: str) -> list[dict]:
    """Rows of an answer."""
    answer = subprocess.run(
        [diya, "sql", "-q", "--format", "json", str(log), sql], check=True, capture_output=True, text=True
    )
    return json.loads(answer.stdout)


def in_folder(program: dict, python: str, wrap: list[str]) -> None:
    """Runs a program on a new input."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    try:
        job = Job(program, python, str(FOLDER), HERE, LIMIT_S)
        job.names |= {"here": str(HERE), "as": "-c user.name=a -c user.email=a@b"}
        job.prepare()
        job.run(wrap)
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)


def by_strace(program: dict, python: str, unrecorded: set[str]) -> Count:
    """Counts of strace; programs that diya says it did not record stand for themselves."""
    counts = Count()
    with tempfile.TemporaryDirectory(prefix="diya-strace.") as folder:
        in_folder(program, python, [*strace.COMMAND, "-o", f"{folder}/p"])
        for call in strace.of_run(Path(folder)):
            maker = "unrecorded" if call.program in unrecorded else call.maker
            if call.name in strace.RINGS:
                maker = "ring" if call.name == "io_uring_enter" else "request"
            counts.add((maker, call.direction), call.size if call.direction == "ring" else 1, call.size)
    return counts


def compare(program: dict, diya: str, python: str, logs: Path) -> Result:
    log = logs / f"{program['name']}.diya"
    in_folder(program, python, [diya, "run", "-q", "--force", "-o", str(log), "--"])
    seen = Count()
    for row in question(diya, log, SEEN):
        seen.add((row["maker"], row["direction"]), row["calls"], row["bytes"] or 0)
    stated = question(diya, log, STATED)
    (processes,) = question(diya, log, PROCESSES)
    unrecorded = {row["program"] for row in stated if row["program"]}
    result = Result(
        program,
        by_strace(program, python, unrecorded),
        seen,
        processes,
        [
            f"{row['words']}, {row['number']} times" if (row["number"] or 1) > 1 and row["program"] else row["words"]
            for row in stated
        ],
    )
    result.faults = faults(result)
    return result


def faults(result: Result) -> list[str]:
    """Differences that nothing states."""
    found = []
    theirs, ours = result.strace, result.diya
    for each in DIRECTIONS:
        for maker in ("program", "request"):
            key = (maker, each)
            if (theirs.calls[key], theirs.size[key]) != (ours.calls[key], ours.size[key]):
                found.append(
                    f"{maker} {each}: {theirs.calls[key]} calls, {theirs.size[key]} bytes by strace, "
                    f"{ours.calls[key]} calls, {ours.size[key]} bytes by diya"
                )
        ahead = theirs.size["stream", each] - ours.size["stream", each]
        if ahead != 0 and not (each == "read" and 0 < ahead <= 4096 * result.processes["refills"]):
            found.append(
                f"streams {each}: {theirs.size['stream', each]} bytes by strace, {ours.size['stream', each]} by diya"
            )
        if theirs.calls["instruction", each] and not result.stated:
            found.append(f"{each} by instructions of the program's own: {theirs.calls['instruction', each]} calls")
    ring = ours.calls["ring", "read"] + ours.calls["ring", "write"] + result.processes["dropped"]
    if theirs.calls["ring", "ring"] > ring:
        found.append(f"requests of rings: {theirs.calls['ring', 'ring']} by strace, {ring} by diya")
    if theirs.calls["unknown", "read"] + theirs.calls["unknown", "write"]:
        found.append("strace printed no stack")
    return found


def main(finish: Callable[[list[Result]], None] | None = None) -> int:
    """Compares the programs that the arguments name; `finish` gets all results (a page is made of them)."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--logs", type=Path, help="keep the recordings here")
    parser.add_argument("--quick", action="store_true", help="only those of the tests")
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args()
    results, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        logs = args.logs or Path(folder)
        logs.mkdir(exist_ok=True, parents=True)
        for program in tomllib.loads((HERE / "programs.toml").read_text())["program"]:
            if (args.quick and not program.get("quick")) or (args.only and program["name"] not in args.only):
                continue
            try:
                result = compare(program, args.diya, args.python, logs)
            except (OSError, subprocess.SubprocessError) as error:
                failed += 1
                print(
                    f"{program['name']}: FAILED {error} {(getattr(error, 'stderr', None) or b'')[-300:]!r}", flush=True
                )
                continue
            results.append(result)
            print(f"{program['name']}: {'; '.join(result.faults) or '; '.join(result.stated) or 'equal'}", flush=True)
    wrong = sum(1 for result in results if result.faults)
    print(f"witness: {len(results)} programs, {wrong} with a difference that nothing states, {failed} not run")
    if finish is not None:
        finish(results)
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
