#!/usr/bin/env python3
"""Run workloads and hold each run's answer against the files it left.

Every variant of every workload that is built (see Makefile) is run once. Checked
for each run: the answer is complete; files are as large as it says; what lies on
disk has the checksum of the result. And between variants: they have the same
result, and "before" names the root cause of the manifest.

With --wrap a command is put before each program (before its launcher), such as
a capture; ``{name}`` in it becomes WORKLOAD.VARIANT.
"""

import argparse
import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUN_TIMEOUT_S = 120

# More ranks than cores have to share them politely; Open MPI refuses root otherwise.
LAUNCHERS = {
    "mpich": ["mpirun.mpich", "-n"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n"],
}
LAUNCHER_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class WrongAnswerError(Exception):
    """A run does not agree with what it left behind, or with its sister runs."""


def command_of(workload: dict, options: argparse.Namespace) -> list[str] | None:
    """Command line of a workload, or None if it is not built."""
    if workload["language"] == "python":
        return [sys.executable, str(HERE / "python" / f"{workload['name']}.py")]
    program = options.bin / workload["name"]
    if not program.exists():
        return None
    if "mpi" not in workload["needs"]:
        return [str(program)]
    return [*LAUNCHERS[options.mpi], str(options.ranks or workload["ranks"]), str(program)]


def checksum_on_disk(answer: dict, directory: Path, options: argparse.Namespace) -> str | None:
    """Checksum of the result as the files hold it, or None if none does.

    HDF5 datasets are first copied out as plain bytes, those of one file at once.
    """
    parts: list[str] = []
    for name, of_file in itertools.groupby(answer["files"], key=lambda file: file["name"]):
        path = directory / name
        of_file = list(of_file)
        datasets = [file["result_dataset"] for file in of_file if "result_dataset" in file]
        if datasets:
            copy = directory / f"datasets.{len(parts)}.copy"
            command = [options.bin / "dataset_copy", path, copy]
            done = subprocess.run(command, input="\n".join(datasets), capture_output=True, text=True)
            if done.returncode != 0:
                raise WrongAnswerError(f"{name}: {done.stderr.strip()}")
            parts.append(f"0 {copy.stat().st_size} {copy}")
        for file in of_file:
            if "result_offset" in file:
                parts.append(f"{file['result_offset']} {file['result_bytes']} {path}")
    if not parts:
        return None
    found = subprocess.run([options.bin / "file_checksum"], input="\n".join(parts), capture_output=True, text=True)
    if found.returncode != 0:
        raise WrongAnswerError(found.stderr.strip())
    return found.stdout.strip()


def check_answer(answer: dict, directory: Path, options: argparse.Namespace) -> None:
    """Compare one answer with the files below the run's directory."""
    for file in answer["files"]:
        size_bytes = (directory / file["name"]).stat().st_size
        if size_bytes != file["size"]:
            raise WrongAnswerError(f"{file['name']} has {size_bytes} B, the answer says {file['size']} B")
    left = {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}
    unnamed = left - {file["name"] for file in answer["files"]}
    if unnamed:
        raise WrongAnswerError(f"files that the answer does not name: {sorted(unnamed)[:3]}")
    on_disk = checksum_on_disk(answer, directory, options)
    if on_disk is not None and on_disk != answer["result"]["checksum"]:
        raise WrongAnswerError(f"checksum on disk {on_disk}, in the answer {answer['result']['checksum']}")
    if answer["result"]["bytes"] == 0:
        raise WrongAnswerError("the result is empty")


def run_variant(workload: dict, variant: str, command: list[str], options: argparse.Namespace) -> dict:
    """Run one variant in a fresh directory; its answer, checked."""
    name = f"{workload['name']}.{variant}"
    directory = options.work / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    answer_path = options.work / f"{name}.json"
    answer_path.unlink(missing_ok=True)
    wrap = [part.replace("{name}", name) for part in shlex.split(options.wrap)]
    arguments = ["--variant", variant, "--dir", str(directory), "--scale", str(options.scale)]
    done = subprocess.run(
        [*wrap, *command, *arguments, "--answer", str(answer_path)],
        env=os.environ | LAUNCHER_ENVIRONMENT,
        timeout=RUN_TIMEOUT_S,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise WrongAnswerError(f"exit code {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    answer = json.loads(answer_path.read_text())
    check_answer(answer, directory, options)
    if not options.keep:
        shutil.rmtree(directory)
    return answer


def check_variants(workload: dict, answers: dict[str, dict]) -> None:
    """Compare the variants of a workload with each other and the manifest."""
    results = {variant: answer["result"] for variant, answer in answers.items()}
    if len({json.dumps(result) for result in results.values()}) != 1:
        raise WrongAnswerError(f"variants differ in their result: {results}")
    named = answers["before"]["root_cause"]
    if named != workload["root_cause"]:
        raise WrongAnswerError(f"before names {named}, the manifest {workload['root_cause']}")


def run_workload(workload: dict, options: argparse.Namespace) -> bool:
    """Run all variants; True when all is well, else what is wrong is printed."""
    command = command_of(workload, options)
    if command is None:
        print(f"skipped  {workload['name']}: not built (needs {' '.join(workload['needs'])})")
        return True
    answers = {}
    try:
        for variant in workload["variants"]:
            started_s = time.monotonic()
            answers[variant] = run_variant(workload, variant, command, options)
            took_s = time.monotonic() - started_s
            io_s = answers[variant]["io_s"]
            print(f"ok       {workload['name']:24} {variant:10} {took_s:6.2f} s, I/O {io_s:8.4f} s", flush=True)
        check_variants(workload, answers)
    except (WrongAnswerError, OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"WRONG    {workload['name']}, after {list(answers)}: {error}", flush=True)
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpi", choices=LAUNCHERS, default="mpich")
    parser.add_argument("--bin", type=Path, help="where make put the programs (build/MPI)")
    parser.add_argument("--work", type=Path, help="where the programs write (a new temporary directory)")
    parser.add_argument("--only", nargs="*", default=[], help="names of workloads")
    parser.add_argument("--ranks", type=int, help="instead of the manifest's")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--wrap", default="", help='such as "diya run -o {name}.diya --"')
    parser.add_argument("--keep", action="store_true", help="keep the files that the programs wrote")
    options = parser.parse_args()
    options.bin = (options.bin or HERE / "build" / options.mpi).resolve()
    options.work = (options.work or Path(tempfile.mkdtemp(prefix="workloads."))).resolve()
    print(f"answers in {options.work}")
    workloads = tomllib.loads((HERE / "manifest.toml").read_text())["workload"]
    unknown = set(options.only) - {workload["name"] for workload in workloads}
    if unknown:
        parser.error(f"no such workload: {' '.join(sorted(unknown))}")
    wanted = [
        workload
        for workload in workloads
        if workload["name"] in (options.only or {workload["name"]}) and workload.get("mpi", options.mpi) == options.mpi
    ]
    # All of them, also after one has gone wrong.
    outcomes = [run_workload(workload, options) for workload in wanted]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
