"""Runs one round of programs that nobody tuned on, and keeps what was measured.

    python3 lab/rounds/run.py ROUND --diya PATH [--darshan FOLDER] [--only NAME ...]

Each program lies in lab/rounds/ROUND/NAME with its expected answer (case.toml),
fixed before any report existed. Writes one JSON file per program to --out: how long
the program and its mended variant take bare, and the report of a recording.
`score.py` makes the table of them.
"""

import argparse
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
TRIES = 3
# A process of a program is one log of Darshan; one number joins them to a job.
JOB = {"DARSHAN_JOBID": "DIYA_ROUND_JOB", "DIYA_ROUND_JOB": "1"}
LIMIT_S = 120


def source(case: Path, which: str) -> Path | None:
    """`before.*` or `after.*`."""
    found = sorted(path for path in case.glob(f"{which}.*") if path.suffix != ".mod")
    return found[0] if found else None


class Program:
    """One variant of a case, built."""

    def __init__(self, case: Path, spec: dict, which: str, folders: Path, python: str):
        self.spec, self.python = spec, python
        self.case, self.folders = case, folders
        path = self.path = source(case, which)
        if path is None:
            raise FileNotFoundError(f"{case.name}: no {which}.*")
        if "build" in spec:
            program = folders / f"{case.name}-{which}"
            line = spec["build"].format(src=shlex.quote(str(path)), out=shlex.quote(str(program)))
            subprocess.run(line, shell=True, check=True, cwd=folders, capture_output=True, text=True)
            self.words = [str(program)]
        else:
            self.words = [python, str(path)]

    def command(self, launcher: bool = True) -> list[str]:
        """The words that run it, with the launcher of MPI where it has ranks."""
        line = self.spec["run"].replace("{prog}", " ".join(shlex.quote(w) for w in self.words))
        line = line.replace("{src}", shlex.quote(str(self.path)))
        words = ["sh", "-c", line] if any(c in line for c in "|;&><") else shlex.split(line)
        ranks = self.spec.get("ranks", 1)
        return (["mpirun.mpich", "-n", str(ranks)] if launcher and ranks > 1 else []) + words

    def run(self, wrap: list[str], look: Callable[[Path], None] = lambda folder: None,
            **variables: str) -> float:
        """Runs it in a fresh folder on a disk, with further variables in its environment;
        seconds of wall time. `look` sees the folder when the program has ended."""
        folder = Path(tempfile.mkdtemp(dir=self.folders))
        if "prepare" in self.spec:
            for script in self.case.glob("prepare.*"):
                shutil.copy(script, folder)
            words = self.spec["prepare"].replace("python3", self.python, 1)
            subprocess.run(words, shell=True, check=True, cwd=folder, capture_output=True)
        os.sync()
        started = time.monotonic()
        subprocess.run(wrap + self.command(), cwd=folder, check=True, timeout=LIMIT_S,
                       env=os.environ | variables, stdin=subprocess.DEVNULL,
                       capture_output=True)
        took_s = time.monotonic() - started
        look(folder)
        empty(folder)
        return took_s


def empty(folder: Path) -> None:
    """Frees the space of a run, and leaves its files: for a minute ext4 steps over the
    inodes of removed files, which makes creating files several times slower in the next run."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.truncate(path, 0)


def measure(case: Path, args: argparse.Namespace, folders: Path) -> dict:
    """What one case gives. The variants take turns, as a slow phase of the disk may last
    longer than a run; of each, and of the recordings, the quickest of the tries counts."""
    spec = expected(case)
    before = Program(case, spec, "before", folders, args.python)
    after = Program(case, spec, "after", folders, args.python) if spec["kind"] == "fault" else None
    tries: dict[str, list[float]] = {"before_s": [], "recorded_s": [], "after_s": []}
    log, again = args.out / f"{case.name}.diya", args.out / f"{case.name}.again"
    for _ in range(TRIES):
        tries["before_s"].append(before.run([]))
        run_s = before.run([args.diya, "run", "-q", "--stacks", "--force", "-o", str(again), "--"])
        if run_s < min(tries["recorded_s"], default=math.inf):
            again.replace(log)
        tries["recorded_s"].append(run_s)
        if after:
            tries["after_s"].append(after.run([]))
    again.unlink(missing_ok=True)
    record_with_darshan(before, args.darshan, darshan_logs(log))
    return judge(case, args.diya, log, {name: min(times) for name, times in tries.items() if times})


def darshan_logs(log: Path) -> Path:
    """Where the logs of Darshan lie, beside a recording."""
    return log.with_suffix(".darshan-logs")


def record_with_darshan(program: Program, builds: Path | None, logs: Path) -> None:
    """Runs a program under Darshan 3.5 with traces, with its module for the HDF5 that the
    program is linked with (h5py brings its own, in which Darshan finds no functions)."""
    shutil.rmtree(logs, ignore_errors=True)
    if builds is None:
        return
    linked = re.search(r"hdf5-(serial|mpich)", program.spec.get("build", ""))
    name = f"darshan-{linked.group()}" if linked else "darshan"
    logs.mkdir()
    # Without this only programs with MPI are recorded: their launcher is none.
    serial = {} if program.spec.get("ranks", 1) > 1 else {"DARSHAN_ENABLE_NONMPI": "1"}
    try:
        program.run([], LD_PRELOAD=str(builds / name / "lib" / "libdarshan.so"),
                    DARSHAN_EXCLUDE_DIRS="none", DARSHAN_LOG_DIR_PATH=str(logs), DARSHAN_MODMEM="512",
                    DARSHAN_CONFIG_PATH=str(HERE.absolute() / "darshan.conf"),
                    DARSHAN_MOD_ENABLE="DXT_POSIX,DXT_MPIIO", **serial, **JOB)
    except subprocess.TimeoutExpired:
        # A process for each item takes Darshan a tenth of a second each, on its own.
        shutil.rmtree(logs, ignore_errors=True)


def expected(case: Path) -> dict:
    """The answer that was fixed before."""
    return tomllib.loads((case / "case.toml").read_text())


def judge(case: Path, diya: str, log: Path, times: dict) -> dict:
    """The reports of a recording, and of a run under Darshan; where that was not to be had,
    of the recording as Darshan would have kept it: no stacks, no calls but reads and writes."""
    logs = sorted(darshan_logs(log).glob("*.darshan"))
    if not logs:
        logs = [log.with_suffix(".darshan")]
        subprocess.run([diya, "convert", "-q", "--force", str(log), "-o", str(logs[0])], check=True,
                       capture_output=True)
    return {"name": case.name, "case": expected(case), "times": times,
            "report": report_of(diya, log), "darshan_report": report_of(diya, *logs)}


def report_of(diya: str, *logs: Path) -> dict:
    """What diya says of the logs of one job."""
    answer = subprocess.run([diya, "report", "--format", "json", *map(str, logs)], check=True,
                            capture_output=True, text=True)
    report = json.loads(answer.stdout)
    return max(report, key=lambda r: len(r["findings"])) if isinstance(report, list) else report


def name_mpich(folder: Path) -> None:
    """Debian's MPICH has a file name of its own, mpi4py asks for that of the MPICH ABI."""
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True)
    found = re.search(r"libmpich\.so\.12 .*=> (\S+)", known.stdout)
    if found and "libmpi.so.12 " not in known.stdout:
        (folder / "libmpi.so.12").symlink_to(found.group(1))
        os.environ["LD_LIBRARY_PATH"] = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
        os.environ["MPI4PY_MPIABI"] = "mpich"


def absolute(path: str) -> Path:
    """Programs run in folders of their own."""
    return Path(path).absolute()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("round")
    parser.add_argument("--diya", required=True)
    parser.add_argument("--darshan", type=absolute, help="the folder with the builds of Darshan")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--out", type=absolute, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--again", action="store_true",
                        help="only report on the recordings of the last run; those of Darshan "
                             "are made anew where --darshan names it")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    failed = []
    cases = sorted(path.parent for path in (HERE / args.round).glob("*/case.toml"))
    with (tempfile.TemporaryDirectory(prefix="diya-round.", dir="/var/tmp") as folders,
          tempfile.TemporaryDirectory(prefix="diya-mpi.") as named):
        name_mpich(Path(named))
        for case in cases:
            if args.only and case.name not in args.only:
                continue
            out = args.out / f"{case.name}.json"
            try:
                if args.again:
                    times = json.loads(out.read_text())["times"]
                    if args.darshan:
                        before = Program(case, expected(case), "before", Path(folders), args.python)
                        log = args.out / f"{case.name}.diya"
                        record_with_darshan(before, args.darshan, darshan_logs(log))
                    result = judge(case, args.diya, args.out / f"{case.name}.diya", times)
                else:
                    result = measure(case, args, Path(folders))
            except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
                detail = getattr(error, "stderr", "") or ""
                detail = detail.decode(errors="replace") if isinstance(detail, bytes) else detail
                failed.append(f"{case.name}: {error} {detail[-300:]}")
                print(f"{case.name}: FAILED {error} {detail[-300:]}", flush=True)
                continue
            out.write_text(json.dumps(result, indent=1))
            print(f"{case.name}: {result['times']}", flush=True)
    if failed:
        print(f"{len(failed)} programs could not be measured", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
