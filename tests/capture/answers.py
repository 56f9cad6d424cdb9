#!/usr/bin/env python3
"""Record every workload and hold the recording against what the program knows.

The workloads (workloads/) say in their answers how many calls they made and how
many bytes they moved, by layer. The same sums come from the calls of the
recording. A count that differs is a call that was lost, or seen twice.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Which calls of the recording an answer's counter stands for.
COUNTERS = {
    "opens": "op in ('open', 'create')",
    "closes": "op = 'close'",
    "reads": "op = 'read'",
    "writes": "op = 'write'",
    "seeks": "op = 'seek'",
    "stats": "op = 'stat'",
    "syncs": "op in ('sync', 'datasync', 'flush')",
    "maps": "op = 'map'",
    "views": "op = 'view'",
    "collective_reads": "op = 'read' and is_collective",
    "collective_writes": "op = 'write' and is_collective",
    "nonblocking_reads": "op = 'read' and (function like 'MPI_File_i%' or function like '%_iget_%')",
    "nonblocking_writes": "op = 'write' and (function like 'MPI_File_i%' or function like '%_iput_%')",
}
# Answers name what a program calls, tables where its counters belong.
LAYERS = {
    "posix": "layer = 'posix'",
    "stdio": "layer = 'stdio'",
    "mpiio": "layer = 'mpiio'",
    "hdf5_file": "layer = 'hdf5_file'",
    "hdf5_dataset": "layer = 'hdf5_dataset'",
    "hdf5_attribute": "layer = 'hdf5_other' and function like 'H5A%'",
    "pnetcdf": "layer in ('pnetcdf_file', 'pnetcdf_var')",
    "netcdf": "layer = 'netcdf'",
}


def ask(diya: Path, log: Path, query: str) -> list[dict]:
    done = subprocess.run([diya, "sql", "--json", "--quiet", log, query], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"{log.name}: {done.stderr.strip()}")
    answer = json.loads(done.stdout)
    return answer["rows"] if isinstance(answer, dict) else answer


def recorded(diya: Path, log: Path, directory: Path, layers: dict) -> dict:
    """The counters of an answer, out of a recording: {layer: {counter: n}}."""
    columns = []
    for layer, counters in layers.items():
        where = LAYERS[layer]
        for counter in counters:
            if counter in COUNTERS:
                what = f"case when {where} and {COUNTERS[counter]} then call.calls else 0 end"
            elif counter in ("bytes_read", "bytes_written"):
                op = "read" if counter == "bytes_read" else "write"
                what = f"case when {where} and op = '{op}' then size_bytes else 0 end"
            else:
                continue
            columns.append(f'coalesce(sum({what}), 0) as "{layer}.{counter}"')
    # A program that asks whether a file is there counts the answer "no", too.
    query = (
        f"select {', '.join(columns)} from call join file on call.file_id = file.file_id "
        f"where (error is null or op = 'stat') and file.path like '{directory}/%'"
    )
    row = ask(diya, log, query)[0]
    out: dict = {}
    for name, value in row.items():
        layer, counter = name.split(".")
        out.setdefault(layer, {})[counter] = int(value)
    return out


def differences(name: str, known: dict, found: dict) -> list[str]:
    return [
        f"{name}: {layer} {counter}: the program says {known[layer][counter]}, the recording {value}"
        for layer, counters in found.items()
        for counter, value in counters.items()
        if known[layer][counter] != value
    ]


def check(diya: Path, work: Path) -> tuple[int, list[str]]:
    """Compares every recording below `work`; how many, and what differs."""
    wrong: list[str] = []
    logs = sorted(work.glob("*.diya"))
    for log in logs:
        name = log.name.removesuffix(".diya")
        answer_path = work / f"{name}.json"
        if not answer_path.exists():
            wrong.append(f"{name}: the program left no answer")
            continue
        layers = json.loads(answer_path.read_text())["layers"]
        if layers:
            found = recorded(diya, log, work / name, layers)
            wrong += differences(name, layers, found)
        # Python ends its worker processes with a signal; their calls are there.
        lost = ask(diya, log, "select kind, effect from read_issue where kind <> 'unfinished'")
        wrong += [f"{name}: {row['kind']}: {row['effect']}" for row in lost]
    return len(logs), wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True, help="folder with mpich/ and openmpi/ programs")
    parser.add_argument("--options", default="", help="further options of diya run")
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    wrong: list[str] = []
    for mpi in ("mpich", "openmpi"):
        programs = options.programs / mpi
        if not programs.is_dir():
            print(f"answers: no programs for {mpi}", file=sys.stderr)
            return 1
        with tempfile.TemporaryDirectory() as work:
            wrap = f"{options.diya} run -q --force {options.options} -o {work}/{{name}}.diya --"
            runner = [
                sys.executable,
                ROOT / "workloads/run.py",
                "--mpi",
                mpi,
                "--bin",
                programs,
                "--work",
                work,
                "--wrap",
                wrap,
            ]
            if options.only:
                runner += ["--only", *options.only]
            done = subprocess.run(runner, capture_output=True, text=True)
            if done.returncode != 0:
                failed = [line for line in done.stdout.splitlines() if not line.startswith(("ok", "skipped"))]
                wrong += [f"{mpi}: {line}" for line in [*failed, *done.stderr.splitlines()]]
            count, found = check(options.diya, Path(work))
            wrong += [f"{mpi}: {line}" for line in found]
            print(f"answers: {mpi}: {count} recordings, {len(found)} differences")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
