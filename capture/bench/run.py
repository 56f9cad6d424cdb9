"""Cost per call: bare, only forwarded, traced, profiled, with stacks.

    run.py LIBDIYA_CAPTURE [--nothing] [--beside OTHER_BUILD]... [--rounds N]
           [--kinds write,pread,...] [--modes trace,profile] [--threads 1,64]
           [--directory DIR] [--json FILE]

With --nothing system calls do nothing, so that the recorder's own cost is left:
the kernel's part of a call varies by more than that. --beside measures another
build of the recorder in the same turns.

The variants of one kind run in turns, so that what the machine does meanwhile
hits all of them; the table shows the smallest of all rounds, because what slows
a round down is the machine. The yardstick is what every recorded call needs:
two readings of the clock. Sizes are bytes per call in the segment, as written
by the traced runs.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import segment

HERE = Path(__file__).parent
# Calls of one round: some tenths of a millisecond, so that most rounds of a busy
# machine are undisturbed and the fastest is what the calls cost.
CALLS = {
    "write": 500,
    "pread": 500,
    "fwrite": 5_000,
    "fputc": 16_000,
    "fprintf": 1_600,
    "open_close": 100,
    "pwrite4k": 200,
    "pwrite64k": 20,
}
GOAL_NS = {"write": 30, "pread": 30, "fwrite": 3, "open_close": 150}
WITHOUT_SYSTEM_CALLS = {"write", "pread", "open_close"}
MODES = ["trace", "profile", "stacks"]


def build(directory: Path) -> None:
    flags = ["-O2", "-D_GNU_SOURCE"]
    subprocess.run(["cc", *flags, "-o", directory / "calls", HERE / "calls.c", "-lpthread"], check=True)
    for name in ("forward", "nothing"):
        library = ["-shared", "-fPIC", "-o", directory / f"{name}.so", HERE / f"{name}.c", "-ldl"]
        subprocess.run(["cc", *flags, *library], check=True)


class Variant:
    """One column: a library in front of the C library, and the recorder's mode."""

    def __init__(self, name: str, library: str | None, mode: str = ""):
        self.name, self.library, self.mode = name, library, mode
        self.times: list[float] = []

    def environment(self, directory: Path, segments: Path, has_nothing: bool) -> dict[str, str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("DIYA_") and key != "LD_PRELOAD"}
        libraries = [self.library] if self.library else []
        libraries += [str(directory / "nothing.so")] if has_nothing else []
        if libraries:
            clean["LD_PRELOAD"] = " ".join(libraries)
        if self.mode:
            clean["DIYA_DIR"] = str(segments)
        if self.mode == "profile":
            clean["DIYA_MODE"] = "profile"
        if self.mode == "stacks":
            clean["DIYA_STACKS"] = "1"
        return clean


def variants(arguments, work: Path) -> list[Variant]:
    all_of_them = [Variant("bare", None), Variant("forward", str(work / "forward.so"))]
    modes = arguments.modes.split(",")
    all_of_them += [Variant(mode, arguments.library, mode) for mode in modes]
    for at, library in enumerate(arguments.beside, 1):
        all_of_them += [Variant(f"{mode}/{at}", library, mode) for mode in modes]
    return all_of_them


def bytes_per_call(segments: Path) -> float:
    read = [segment.read_segment(path) for path in segments.glob("*.seg")]
    return sum(s.record_bytes for s in read) / max(1, sum(call.calls for s in read for call in s.calls))


def measure(kind: str, threads: int, arguments, work: Path) -> dict:
    columns = variants(arguments, work)
    size = None
    for _ in range(arguments.rounds):
        for variant in columns:
            segments = Path(arguments.directory) / f"diya-bench-{os.getpid()}"
            env = variant.environment(work, segments, arguments.nothing)
            command = [work / "calls", kind, str(CALLS[kind]), arguments.directory, str(threads)]
            output = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
            variant.times.append(float(output))
            if variant.name == "trace" and size is None and threads == 1:
                size = bytes_per_call(segments)
            shutil.rmtree(segments, ignore_errors=True)
    row = {variant.name: min(variant.times) for variant in columns}
    return {"kind": kind, "threads": threads, "bytes_per_call": size} | row


def shown(row: dict) -> str:
    base = row["bare"]
    added = {name: row[name] - base for name in list(row)[4:]}
    cells = [f"{row['kind']:<11}{row['threads']:>3}{base:>10.1f}"]
    cells += [f"{ns:>+11.1f}" for ns in added.values()]
    traced, profiled = added.get("trace", 0), added.get("profile")
    cells.append(f"{profiled / traced:>11.2f}" if profiled is not None and traced > 0 else " " * 11)
    cells.append(f"{100 * traced / base:>+7.1f} %")
    cells.append(f"{row['bytes_per_call']:>7.2f}" if row["bytes_per_call"] is not None else " " * 7)
    goal = GOAL_NS.get(row["kind"])
    cells.append(f"  goal +{goal}" if goal else "  goal +3 %" if row["kind"] == "pwrite64k" else "")
    return "".join(cells)


def path(text: str) -> str:
    return str(Path(text).resolve())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", type=path)
    parser.add_argument("--beside", type=path, action="append", default=[], help="another build")
    parser.add_argument("--nothing", action="store_true", help="system calls that do nothing")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--threads", default="1", help="for write and pread: e.g. 1,2,64")
    parser.add_argument("--directory", default="/dev/shm")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    kinds = (
        arguments.kinds.split(",")
        if arguments.kinds
        else [k for k in CALLS if not arguments.nothing or k in WITHOUT_SYSTEM_CALLS]
    )
    rows = []
    with tempfile.TemporaryDirectory() as work:
        build(Path(work))
        clock = subprocess.run(
            [Path(work) / "calls", "clock", "30000", arguments.directory], capture_output=True, text=True, check=True
        )
        print(
            f"nanoseconds per call; columns after bare are what is added to it; "
            f"two readings of the clock: {float(clock.stdout):.1f}"
        )
        names = "".join(f"{variant.name:>11}" for variant in variants(arguments, Path(work))[1:])
        print(f"{'call':<11}{'thr':>3}{'bare':>10}{names}{'prof/trace':>11}{'trace':>9}  B/call")
        for kind in kinds:
            for threads in [int(n) for n in arguments.threads.split(",")] if kind in ("write", "pread") else [1]:
                rows.append(measure(kind, threads, arguments, Path(work)))
                print(shown(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
