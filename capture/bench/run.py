"""Cost per call: bare, only forwarded, traced, profiled, with stacks.

    run.py LIBDIYA_CAPTURE [--rounds N] [--kinds write,pread,...] [--directory DIR] [--json FILE]

The variants of one kind run in turns, so that what the machine does meanwhile
hits all of them; the table shows medians. Sizes are bytes per call in the
segment, as written by the traced runs.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import segment

HERE = Path(__file__).parent
# Calls of one round: about a millisecond, so that most rounds of a busy machine
# are undisturbed and the fastest is what the calls cost.
CALLS = {
    "write": 3_000,
    "pread": 3_000,
    "fwrite": 30_000,
    "fputc": 100_000,
    "fprintf": 10_000,
    "open_close": 600,
    "pwrite4k": 1_000,
    "pwrite64k": 100,
}
GOAL_NS = {"write": 60, "pread": 60, "fwrite": 40, "open_close": 300}
VARIANTS = ["bare", "forward", "trace", "profile", "stacks"]


def build(directory: Path) -> None:
    flags = ["-O2", "-D_GNU_SOURCE"]
    subprocess.run(["cc", *flags, "-o", directory / "calls", HERE / "calls.c", "-lpthread"], check=True)
    subprocess.run(
        ["cc", *flags, "-shared", "-fPIC", "-o", directory / "forward.so", HERE / "forward.c", "-ldl"], check=True
    )


def environment(variant: str, library: str, directory: Path, segments: Path) -> dict[str, str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("DIYA_") and key != "LD_PRELOAD"}
    if variant == "bare":
        return clean
    if variant == "forward":
        return clean | {"LD_PRELOAD": str(directory / "forward.so")}
    clean |= {"LD_PRELOAD": library, "DIYA_DIR": str(segments)}
    if variant == "profile":
        clean["DIYA_MODE"] = "profile"
    if variant == "stacks":
        clean["DIYA_STACKS"] = "1"
    return clean


def bytes_per_call(segments: Path) -> float:
    read = [segment.read_segment(path) for path in segments.glob("*.seg")]
    return sum(s.record_bytes for s in read) / max(1, sum(call.calls for s in read for call in s.calls))


def measure(kind: str, threads: int, arguments, work: Path) -> dict:
    times = {variant: [] for variant in VARIANTS}
    size = None
    for _ in range(arguments.rounds):
        for variant in VARIANTS:
            segments = Path(arguments.directory) / f"diya-bench-{os.getpid()}"
            env = environment(variant, arguments.library, work, segments)
            command = [work / "calls", kind, str(CALLS[kind]), arguments.directory, str(threads)]
            output = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
            times[variant].append(float(output))
            if variant == "trace" and size is None and threads == 1:
                size = bytes_per_call(segments)
            shutil.rmtree(segments, ignore_errors=True)
    row = {variant: statistics.median(values) for variant, values in times.items()}
    return {"kind": kind, "threads": threads, "bytes_per_call": size} | row


def shown(row: dict) -> str:
    base = row["bare"]
    cells = [f"{row['kind']:<11}{row['threads']:>3}{base:>10.1f}"]
    cells += [f"{row[variant] - base:>+10.1f}" for variant in VARIANTS[1:]]
    cells.append(f"{100 * (row['trace'] / base - 1):>+8.1f} %")
    cells.append(f"{row['bytes_per_call']:>7.2f}" if row["bytes_per_call"] is not None else " " * 7)
    goal = GOAL_NS.get(row["kind"])
    cells.append(f"  goal +{goal}" if goal else "  goal +3 %" if row["kind"] == "pwrite64k" else "")
    return "".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kinds", default=",".join(CALLS))
    parser.add_argument("--threads", default="1", help="for write: e.g. 1,2,4")
    parser.add_argument("--directory", default="/dev/shm")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as work:
        build(Path(work))
        print("nanoseconds per call; columns after bare are what is added to it")
        print(f"{'call':<11}{'thr':>3}{'bare':>10}{'forward':>10}{'trace':>10}{'profile':>10}{'stacks':>10}{'trace':>10}  B/call")
        for kind in arguments.kinds.split(","):
            for threads in [int(n) for n in arguments.threads.split(",")] if kind == "write" else [1]:
                rows.append(measure(kind, threads, arguments, Path(work)))
                print(shown(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
