"""Builds and runs the programs of the tests of the layers above the C library.

Environment: DIYA_APPLY_LIBRARY names the library. With DIYA_SEEDS=N, random tests are longer.
"""

import atexit
import dataclasses
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "capture" / "tests"))
import segment  # noqa: E402

# Functions of one file of the schema may belong to several layers.
for _toml in sorted((ROOT / "schema" / "functions").glob("*.toml")):
    for _function in tomllib.loads(_toml.read_text())["functions"]:
        if "layer" in _function:
            segment.FUNCTIONS[_function["number"]] = (_function["key"], _function["op"], _function["layer"])

LIBRARY = os.environ["DIYA_APPLY_LIBRARY"]
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="diya-apply-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
MPIS = ("mpich", "openmpi")
TIMEOUT_S = 300
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@functools.cache
def recorder() -> str:
    subprocess.run(["make", "-s", "-C", ROOT / "capture", f"OUT={SCRATCH}/recorder"], check=True)
    return f"{SCRATCH}/recorder/libdiya_capture.so"


@functools.cache
def witness() -> str:
    """Writes down what the library tells, in place of the recorder."""
    subprocess.run(["cc", "-shared", "-fPIC", "-o", SCRATCH / "told.so", HERE / "told.c"], check=True)
    return f"{SCRATCH}/told.so"


@functools.cache
def build(compiler: str, source: str, *flags: str) -> str:
    program = SCRATCH / "-".join([compiler, source, *[f.lstrip("-").replace("/", "_") for f in flags]])[:200]
    modules = ("-J", str(SCRATCH)) if source.endswith(".F90") else ()
    subprocess.run([compiler, "-g", "-O1", "-o", program, HERE / source, *modules, *flags], check=True)
    return str(program)


def folder() -> pathlib.Path:
    return pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))


@dataclasses.dataclass
class Result:
    out: str
    told: list[list[str]]  # setting, value, reason, path, files, asked, issued, bytes
    segments: list

    def applied(self, setting: str) -> set[tuple[str, str]]:
        """Values and reasons; an empty reason: it was applied."""
        return {(line[1], line[2]) for line in self.told if line[0] == setting}

    def calls(self, prefix: str) -> dict[str, int]:
        """Calls of all ranks that the recorder saw, without those of the launcher."""
        found: dict[str, int] = {}
        for process in self.segments:
            for call in process.calls:
                if call.function.startswith(prefix):
                    found[call.function] = found.get(call.function, 0) + 1
        return found


# `mpi` is "mpich", "openmpi", or the path of a mpirun of MPICH.
def launcher(mpi: str, ranks: int, variables: dict[str, str], options: tuple[str, ...]) -> list[str]:
    if mpi == "openmpi":
        pairs = [word for key, value in variables.items() for word in ("-x", f"{key}={value}")]
        return ["mpirun.openmpi", "--oversubscribe", "-n", str(ranks), *options, *pairs]
    pairs = [word for key, value in variables.items() for word in ("-genv", key, value)]
    command = "mpirun.mpich" if mpi == "mpich" else mpi
    return [command, "-n", str(ranks), *options, *pairs]


ORDERS = ("alone", "recorder behind", "recorder in front")


def run(
    command: list[str],
    settings: str,
    order: str = "alone",
    mpi: str = "",
    ranks: int = 1,
    options: tuple[str, ...] = (),
    may_fail: bool = False,
) -> Result:
    """Without settings the library is not loaded."""
    segments = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
    told = folder() / "told"
    preload = {"alone": f"{LIBRARY}:{witness()}"}.get(order)
    if preload is None:
        preload = f"{LIBRARY}:{recorder()}" if order == "recorder behind" else f"{recorder()}:{LIBRARY}"
    loaded = {"LD_PRELOAD": preload, "DIYA_APPLY": settings, "TOLD": str(told), "DIYA_DIR": str(segments)}
    loaded = loaded if settings else {}
    if mpi:
        command = [*launcher(mpi, ranks, loaded, options), *command]
    environment = {**os.environ, **AS_ROOT, "TMPDIR": str(SCRATCH), **({} if mpi else loaded)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert may_fail or done.returncode == 0, f"{command}: {done.returncode}: {done.stdout[-1000:]}{done.stderr[-3000:]}"
    lines = [line.split("\t") for line in told.read_text().splitlines()] if told.exists() else []
    return Result(done.stdout, lines, list(segment.segments(segments)) if loaded else [])
