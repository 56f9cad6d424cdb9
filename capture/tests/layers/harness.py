"""Builds the programs of this folder, runs them under the library, and gives
back what it recorded.

Environment: DIYA_CAPTURE_LIBRARY names the library; without it, it is built.
"""

import atexit
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
CAPTURE = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
import segment  # noqa: E402

# Functions of one file of the schema may belong to several layers.
for _toml in sorted((CAPTURE.parent / "schema" / "functions").glob("*.toml")):
    for _function in tomllib.loads(_toml.read_text())["functions"]:
        if "layer" in _function:
            segment.FUNCTIONS[_function["number"]] = (_function["key"], _function["op"], _function["layer"])

SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="diya-layers-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
MPIS = ("mpich", "openmpi")
MPI_FAMILY = {"mpich": 1, "openmpi": 2}  # enum diya_mpi_family
TIMEOUT_S = 120


@functools.cache
def library() -> str:
    given = os.environ.get("DIYA_CAPTURE_LIBRARY")
    if given:
        return os.path.abspath(given)
    subprocess.run(["make", "-s", "-C", CAPTURE, f"OUT={SCRATCH}/lib"], check=True)
    return f"{SCRATCH}/lib/libdiya_capture.so"


@functools.cache
def build(compiler: str, source: str, *flags: str) -> str:
    program = SCRATCH / "-".join([compiler, source, *[f.lstrip("-").replace("/", "_") for f in flags]])[:200]
    subprocess.run([compiler, "-o", program, HERE / source, *flags], check=True, stdout=subprocess.DEVNULL)
    return str(program)


def folder() -> pathlib.Path:
    return pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))


def segment_folder() -> pathlib.Path:
    """mkdtemp gives mode 0700, as the library demands."""
    return pathlib.Path(tempfile.mkdtemp(prefix="segments-", dir=SCRATCH))


def mpi_command(mpi: str, ranks: int, environment: dict[str, str]) -> list[str]:
    launcher = f"mpirun.{mpi}"
    if mpi == "openmpi":
        pairs = [word for key, value in environment.items() for word in ("-x", f"{key}={value}")]
        return [launcher, "--oversubscribe", "-n", str(ranks), *pairs]
    pairs = [word for key, value in environment.items() for word in ("-genv", key, value)]
    return [launcher, "-n", str(ranks), *pairs]


class Recorded:
    """The processes of one run, by rank; of a serial program the first is it."""

    def __init__(self, directory: pathlib.Path, stderr: str, stdout: str = ""):
        self.stderr, self.stdout = stderr, stdout
        self.processes = sorted(segment.segments(directory), key=lambda s: s.header["mpi_rank"])

    def rank(self, rank: int) -> "segment.Segment":
        return next(s for s in self.processes if s.header["mpi_rank"] == rank)


def run_mpi(
    mpi: str, ranks: int, *command: str, preload: str = "", is_killed: bool = False, **environment: str
) -> Recorded:
    directory = segment_folder()
    variables = {"LD_PRELOAD": preload or library(), "DIYA_DIR": str(directory), **environment}
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [*mpi_command(mpi, ranks, variables), *command],
        # Open MPI's launchers get in each other's way in a common folder.
        env={**os.environ, **as_root, "TMPDIR": str(SCRATCH)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert (done.returncode != 0) == is_killed, done.stderr[-2000:]
    return Recorded(directory, done.stderr, done.stdout)


def run_serial(*command: str, **environment: str) -> "segment.Segment":
    directory = segment_folder()
    variables = {"LD_PRELOAD": library(), "DIYA_DIR": str(directory), **environment}
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr[-2000:]}"
    return max(Recorded(directory, done.stderr).processes, key=lambda s: len(s.calls))


def in_order(process: "segment.Segment") -> list:
    """Calls by their start; a segment has them by their end."""
    return sorted(process.calls, key=lambda c: (c.start, c.depth))


def lines(process: "segment.Segment", *prefixes: str) -> list[str]:
    """What a test compares: function, file name, offset, sizes, as text."""
    found = []
    for call in in_order(process):
        if not call.function.startswith(prefixes):
            continue
        name = call.path.rsplit("/", 1)[-1] if ":" not in call.path else call.path.rsplit(":", 1)[-1]
        text = f"{call.function} {name}"
        if call.offset is not None and call.offset >= 0:
            text += f" @{call.offset}"
        if call.requested or call.done > 0:
            text += f" {call.requested}"
        if call.done != call.requested:
            text += f" done {call.done}"
        found.append(text)
    return found


def inside(process: "segment.Segment", outer) -> list:
    end = outer.start + outer.duration
    return [
        c
        for c in in_order(process)
        if c.tid == outer.tid and c.depth > outer.depth and outer.start <= c.start and c.start + c.duration <= end
    ]


def attributes(process: "segment.Segment", name_end: str) -> dict[str, str]:
    """Of the file, dataset or variable whose name ends so; the value written last."""
    return {key: value for file, key, value in process.attributes if process.name(file).endswith(name_end)}
