#!/usr/bin/env python3
"""The same program, recorded by diya, Darshan, DFTracer and Recorder: the first finding of
`diya report` on each recording, as lab/agree/recorders-agree.md.

Each program runs in its faulty variant, with one process (four where it needs MPI), two times per
recorder, or three times if the first findings differ: what two runs begin with counts. A recording without the finding of diya's own either lacks what the check needs, which
the page says (`LACKS`, or the report, which names the check as unknown); or it names another finding.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

#: Programs of workloads/, processes, and how many times their usual size: enough that the fault takes
#: measurable time (`scale` of tests/diagnosis/planted.toml), or findings change places by chance.
PROGRAMS = {
    "small_unaligned": (1, 5),
    "fsync_per_write": (1, 4),
    "reopen_per_record": (1, 10),
    "direct_requests": (1, 4),
    "redundant_reads": (4, 20),
    "random_reads": (4, 8),
    "metadata_storm": (4, 4),
    "imbalance": (4, 30),
    "rank0_writes": (4, 16),
    "strided_shared_file": (4, 40),
}

#: What a check needs of a recording: counted by a statement, and in words where it is not there.
LACKS = {
    "posix/direct-io": ("select count(*) from call where op = 'open' and aux is not null", "flags of `open`"),
    "job/unseen-io": ("select count(*) from process where kernel_read_bytes is not null", "counters of the kernel"),
    "mpiio/small-independent-writes": ("select count(*) from mpiio", "calls of MPI-IO"),
    "posix/unbalanced-files": (
        "select count(*) from posix where rank >= 0 and bytes_written > 0",
        "counters of each rank of a shared file",
    ),
    "posix/rank-zero-only": ("select count(*) from peer_group where kind = 'rank'", "ranks of the processes"),
    "job/unexplained-io": ("select count(*) from mpiio", "calls of MPI-IO"),
}
LIMIT_S = 300
MAX_RUNS = 3


class Recorders:
    """How each recorder is started, and where its log is afterwards."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.diya: Path = args.diya.resolve()
        self.libraries = {
            "Darshan": args.darshan.resolve(),
            "DFTracer": args.dftracer.resolve(),
            "Recorder": args.recorder.resolve(),
        }

    def names(self) -> list[str]:
        return ["diya", *self.libraries]

    def run(self, name: str, launcher: list[str], program: list[str], folder: Path) -> list[Path]:
        """Records a program; its logs, none where the recorder leaves none."""
        traces, work = folder / "traces", folder / "work"
        for each in (traces, work):
            each.mkdir(parents=True)
        program = [*program, "--dir", str(work / "data")]
        log = traces / "log.diya"
        if name == "diya":
            subprocess.run(
                [self.diya, "run", "-q", "-o", log, "--", *launcher, *program],
                cwd=work,
                check=True,
                capture_output=True,
                timeout=LIMIT_S,
            )
            return [log]
        settings = {
            # With this one, each rank of MPI would leave a log of its own.
            "Darshan": ({} if launcher else {"DARSHAN_ENABLE_NONMPI": "1"})
            | {
                "DARSHAN_LOG_DIR_PATH": str(traces),
                "DARSHAN_MOD_ENABLE": "DXT_POSIX,DXT_MPIIO",
                "DARSHAN_EXCLUDE_DIRS": "none",
            },
            "DFTracer": {
                "DFTRACER_ENABLE": "1",
                "DFTRACER_INIT": "PRELOAD",
                "DFTRACER_INC_METADATA": "1",
                "DFTRACER_DATA_DIR": "all",
                "DFTRACER_LOG_FILE": str(traces / "trace"),
            },
            # With this one, ranks of MPI would write over the files of each other.
            "Recorder": ({} if launcher else {"RECORDER_WITH_NON_MPI": "1"}) | {"RECORDER_TRACES_DIR": str(traces)},
        }[name]
        # The launcher of MPI is not recorded: `env` stands before the program itself.
        preload = {"LD_PRELOAD": str(self.libraries[name]), **settings}
        words = [*launcher, "env", *(f"{key}={value}" for key, value in preload.items()), *program]
        done = subprocess.run(words, cwd=work, capture_output=True, timeout=LIMIT_S)
        if done.returncode:
            print(f"{name}: exit code {done.returncode}: {done.stderr[-300:]!r}", file=sys.stderr)
        pattern = {"Darshan": "**/*.darshan", "DFTracer": "**/*.pfw*", "Recorder": "**/recorder.mt"}[name]
        found = sorted(path for path in traces.glob(pattern) if path.suffix not in (".zindex", ".index"))
        if name == "DFTracer" and len(found) > 1:
            # A file of each process; its tools join them like this, too.
            joined = traces / "all.pfw.gz"
            joined.write_bytes(b"".join(path.read_bytes() for path in found))
            return [joined]
        return [path.parent for path in found] if name == "Recorder" else found

    def report(self, logs: list[Path]) -> dict[str, Any]:
        done = subprocess.run(
            [self.diya, "report", "--format", "json", "-q", *logs], capture_output=True, text=True, timeout=LIMIT_S
        )
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def lacks(self, logs: list[Path], check: str) -> str | None:
        """What the check needs and the recording does not have."""
        if check not in LACKS:
            return None
        statement, words = LACKS[check]
        done = subprocess.run(
            [self.diya, "sql", "-q", "--format", "json", *logs, statement],
            capture_output=True,
            text=True,
            check=True,
            timeout=LIMIT_S,
        )
        (counted,) = json.loads(done.stdout)[0].values()
        return None if counted else f"not recorded: {words}"


def cell(report: dict[str, Any], own: str, lacks: str | None) -> str:
    """The first finding, or why that of diya's own recording is not there."""
    findings = [finding["id"] for finding in report["findings"]]
    if findings[:1] == [own] or (own == "none" and not findings):
        return "the same"
    first = f"`{findings[0]}`" if findings else "none"
    if own == "none":
        return first
    if own in findings:
        return f"{first}; the same is number {findings.index(own) + 1}"
    if lacks:
        return f"{first}; {lacks}"
    for check in report["unknown"]:
        if check["id"] == own:
            return f"{first}; unknown: {check['reason']}"
    if any(check["id"] == own for check in report["not_applicable"]):
        return f"{first}; the recording has no such calls"
    return f"{first}; the check passed"


def first(report: dict[str, Any] | None) -> str:
    """The first finding of a report."""
    findings = report["findings"] if report else []
    return findings[0]["id"] if findings else "none"


def usual_run(
    recorders: Recorders, recorder: str, launcher: list[str], program: list[str], folder: Path
) -> tuple[list[Path], dict[str, Any] | None]:
    """Logs and report of a run whose first finding comes twice: times of single runs vary."""
    runs: list[tuple[list[Path], dict[str, Any] | None]] = []
    for number in range(MAX_RUNS):
        of_run = folder / str(number)
        logs = recorders.run(recorder, launcher, program, of_run)
        report = recorders.report(logs) if logs else None
        shutil.rmtree(of_run / "work")
        for known in runs:
            if first(known[1]) == first(report):
                return known
        runs.append((logs, report))
    return runs[0]


def row(recorders: Recorders, name: str, args: argparse.Namespace) -> list[str]:
    """What the page says of one program."""
    processes, scale = PROGRAMS[name]
    launcher = ["mpirun.mpich", "-n", str(processes)] if processes > 1 else []
    program = [str((args.programs / name).resolve()), "--variant", "before", "--scale", str(scale)]
    cells, own = [], ""
    for recorder in recorders.names():
        folder = args.work.resolve() / name / recorder
        shutil.rmtree(folder, ignore_errors=True)
        logs, report = usual_run(recorders, recorder, launcher, program, folder)
        if recorder == "diya" and report:
            own = first(report)
            cells.append("none" if own == "none" else f"`{own}`")
        else:
            lacks = recorders.lacks(logs, own) if report else None
            cells.append(cell(report, own, lacks) if report else "no recording")
        shutil.rmtree(folder)
    print(f"{name}: {'; '.join(cells)}", flush=True)
    return [f"`{name}`", str(processes), *cells]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True, help="folder of built workloads")
    parser.add_argument("--work", type=Path, required=True)
    for name in ("darshan", "dftracer", "recorder"):
        parser.add_argument(f"--{name}", type=Path, required=True, help="its library for LD_PRELOAD")
    parser.add_argument("--page", type=Path, required=True)
    args = parser.parse_args()
    recorders = Recorders(args)
    rows = [row(recorders, name, args) for name in PROGRAMS]
    head = ["program", "processes", *recorders.names()]
    lines = ["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]]
    args.page.write_text(PAGE.replace("TABLE", "\n".join(lines)))
    return 0


PAGE = """# Do recordings of different recorders have the same first finding?

Each program of [workloads](../workloads/) in its faulty variant, recorded two times by each recorder, or three
times if the first findings differ; the finding that comes twice counts. The column of
diya is the first finding of `diya report` on its own recording. The other columns say whether the
report on that recording begins with the same finding; if not, with which one, and what the
recording lacks or the report says of the check.

TABLE

`lab/agree/recorders-agree.sh` makes this page. Times differ from run to run, so findings with nearly the
same saving may change places. `job/unexplained-io` is the time that no finding explains: it comes first if it is
larger than each saving. `job/unseen-io` is right in `random_reads`: rank 0 writes the input by system calls of its own.
"""

if __name__ == "__main__":
    sys.exit(main())
