"""What the end of a recorded run costs: processor time of making the log of its segments.

    python3 benches/end.py --diya target/release/diya [--beside OTHER_BUILD]... [--rounds N]
                           [--directory DIR] [--threads N]

Each program is recorded once; then every build makes the log of the same segments, in
turns, so that what the machine does meanwhile hits all of them. The table shows the
smallest of all rounds, user and system time, less that of `diya --version`, for each
recorded call, and as a share of the first build's.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from recording import clean, prepare, processor_s

HERE = Path(__file__).parent
#: Name, and the command; {writes} is replaced.
PROGRAMS = [
    ("2 million `pwrite` of 64 bytes", "{writes} data 1 2000000"),
    ("250,000 of them", "{writes} data 1 250000"),
    (
        "seeks, reads and writes in turn",
        "{python} -c '"
        'import os; f = os.open("data", os.O_RDWR | os.O_CREAT)\n'
        'for n in range(60_000): os.lseek(f, n * 1024, 0); os.write(f, b"x" * 1024); '
        "os.lseek(f, n * 512, 0); os.read(f, 512)'",
    ),
    ("4,000 files copied", "cp -r tree copy"),
]


def recorded(diya: Path, command: str, folder: Path) -> Path:
    """The segments of a program."""
    segments = folder / "segments"
    segments.mkdir()
    settings = subprocess.run([diya, "env", "--segments", segments], check=True, capture_output=True, text=True).stdout
    subprocess.run(["sh", "-c", f"{settings}\n{command}"], check=True, cwd=folder)
    return next(segments.iterdir())


def calls_of(diya: Path, log: Path) -> int:
    """Calls in a log."""
    query = [diya, "sql", "--json", "-q", log, "select sum(calls_recorded) as calls from process"]
    answer = subprocess.run(query, check=True, capture_output=True, text=True).stdout
    return int(answer.split('"calls":')[1].split("}")[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=lambda path: Path(path).absolute(), required=True)
    parser.add_argument("--beside", type=lambda path: Path(path).absolute(), action="append", default=[])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", default="0")
    parser.add_argument("--directory", default="/dev/shm")
    args = parser.parse_args()
    builds = [args.diya, *args.beside]
    print("program | calls | " + " | ".join(f"{build.name}: ns a call | of the first" for build in builds))
    with tempfile.TemporaryDirectory(prefix="diya-end.", dir=args.directory) as place:
        writes = Path(place) / "writes"
        subprocess.run(["cc", "-O2", "-o", writes, HERE / "writes.c", "-lpthread"], check=True)
        for number, (name, command) in enumerate(PROGRAMS):
            folder = Path(place) / str(number)
            folder.mkdir()
            prepare(folder)
            command = command.replace("{writes}", str(writes)).replace("{python}", sys.executable)
            segments, log = recorded(args.diya, command, folder), folder / "log.diya"
            best = dict.fromkeys(builds, float("inf"))
            start = dict.fromkeys(builds, float("inf"))
            for _ in range(args.rounds):
                for build in builds:
                    make = [build, "collect", "-q", "--force", "--threads", args.threads, "-o", log, segments]
                    best[build] = min(best[build], processor_s([str(word) for word in make], clean(), folder))
                    start[build] = min(start[build], processor_s([str(build), "--version"], clean(), folder))
            calls = calls_of(args.diya, log)
            spent = {build: best[build] - start[build] for build in builds}
            cells = [f"{spent[build] / calls * 1e9:.0f} | {spent[build] / spent[args.diya]:.2f}" for build in builds]
            print(" | ".join([name, f"{calls:,}", *cells]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
