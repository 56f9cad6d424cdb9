#!/usr/bin/env python3
"""The same program, recorded by diya, Darshan, DFTracer and Recorder: the first finding of
`diya report` on each recording, as docs/recorders-agree.md.

Each program runs in its faulty variant, with one process (four where it needs MPI), once per
recorder. A recording without the finding of diya's own either lacks what the check needs, and
then the report names the check as unknown or without subject; or it names another finding.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

#: Programs of workloads/, processes, and how many times their usual size.
PROGRAMS = {
    "small_unaligned": (1, 5),
    "fsync_per_write": (1, 4),
    "reopen_per_record": (1, 10),
    "direct_requests": (1, 1),
    "redundant_reads": (4, 2),
    "random_reads": (4, 2),
    "metadata_storm": (4, 2),
    "imbalance": (4, 2),
    "rank0_writes": (4, 2),
    "strided_shared_file": (4, 2),
}
LIMIT_S = 300


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
            subprocess.run([self.diya, "run", "-q", "-o", log, "--", *launcher, *program], cwd=work,
                           check=True, capture_output=True, timeout=LIMIT_S)
            return [log]
        settings = {
            # With this one, each rank of MPI would leave a log of its own.
            "Darshan": ({} if launcher else {"DARSHAN_ENABLE_NONMPI": "1"})
                       | {"DARSHAN_LOG_DIR_PATH": str(traces),
                          "DARSHAN_MOD_ENABLE": "DXT_POSIX,DXT_MPIIO", "DARSHAN_EXCLUDE_DIRS": "none"},
            "DFTracer": {"DFTRACER_ENABLE": "1", "DFTRACER_INIT": "PRELOAD", "DFTRACER_INC_METADATA": "1",
                         "DFTRACER_DATA_DIR": "all", "DFTRACER_LOG_FILE": str(traces / "trace")},
            "Recorder": {"RECORDER_TRACES_DIR": str(traces), "RECORDER_WITH_NON_MPI": "1"},
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
        done = subprocess.run([self.diya, "report", "--format", "json", "-q", *logs], capture_output=True, text=True,
                              timeout=LIMIT_S)
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


def cell(report: dict[str, Any], own: str) -> str:
    """The first finding, or why that of diya's own recording is not there."""
    findings = [finding["id"] for finding in report["findings"]]
    if findings[:1] == [own] or (own == "none" and not findings):
        return "the same"
    first = f"`{findings[0]}`" if findings else "none"
    if own == "none":
        return first
    if own in findings:
        return f"{first}; the same is number {findings.index(own) + 1}"
    for check in report["unknown"]:
        if check["id"] == own:
            return f"{first}; unknown: {check['reason']}"
    if any(check["id"] == own for check in report["not_applicable"]):
        return f"{first}; the recording has no such calls"
    return f"{first}; the check passed"


def row(recorders: Recorders, name: str, args: argparse.Namespace) -> list[str]:
    """What the page says of one program."""
    processes, scale = PROGRAMS[name]
    launcher = ["mpirun.mpich", "-n", str(processes)] if processes > 1 else []
    program = [str((args.programs / name).resolve()), "--variant", "before", "--scale", str(scale)]
    cells, own = [], ""
    for recorder in recorders.names():
        folder = args.work.resolve() / name / recorder
        shutil.rmtree(folder, ignore_errors=True)
        logs = recorders.run(recorder, launcher, program, folder)
        report = recorders.report(logs) if logs else None
        if recorder == "diya" and report:
            own = report["findings"][0]["id"] if report["findings"] else "none"
            cells.append("none" if own == "none" else f"`{own}`")
        else:
            cells.append(cell(report, own) if report else "no recording")
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

Each program of [workloads](../workloads/) in its faulty variant, recorded once by each recorder. The column of
diya is the first finding of `diya report` on its own recording. The other columns say whether the
report on that recording begins with the same finding; if not, with which one, and what it says of the
check.

TABLE

`scripts/recorders-agree.sh` makes this page. Times differ from run to run, so findings with nearly the
same saving may change places.
"""

if __name__ == "__main__":
    sys.exit(main())
