"""What recording costs, beside no recording and beside Darshan 3.5.

    python3 benches/recording.py --diya target/release/diya --darshan PREFIX --ior PREFIX
                                 [--rounds N] [--directory DIR] [--page lab/costs/recording-cost.md]

scripts/recording-bench.sh brings Darshan and IOR, and calls it. The variants of one
program run in turns, so that what the machine does meanwhile hits all of them. Figures
are processor time (user and system) of the program and all it starts, medians, as
multiples of the bare run: ratios of one run travel between machines, seconds do not.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SHORT = 300
#: Name, what it does, and the command; {n} is replaced.
PROGRAMS = [
    (
        "IOR, 1 KiB requests",
        "131,072 writes and reads, one rank",
        "{ior}/bin/ior -a POSIX -t 1k -b 64m -w -r -k -o ior.bin",
    ),
    (
        "fio psync, 4 KiB",
        "131,072 writes and reads",
        "fio --name=job --thread --rw=randrw --bs=4k --size=512m --ioengine=psync --fallocate=none --randseed=7",
    ),
    (
        "300 short processes",
        "`cp` of a small file, started by a shell",
        f"sh -c 'i=0; while [ $i -lt {SHORT} ]; do cp small copy; i=$((i+1)); done'",
    ),
    ("many small files", "`cp -r` of 4,000 files of 2 KiB", "cp -r tree copy"),
    ("2 million calls", "`pwrite` of 64 bytes, one thread", "{writes} data 1 2000000"),
    ("10 million calls", "the same", "{writes} data 1 10000000"),
    ("64 threads", "2 million calls, the same", "{writes} data 64 2000000"),
    (
        "IOR, 4 ranks",
        "MPI-IO, 64 KiB requests, 4 x 256 MiB to one file and back",
        "mpirun.mpich -n 4 {ior}/bin/ior -a MPIIO -t 64k -b 256m -w -r -k -o ior.bin",
    ),
]
VARIANTS = ["bare", "Darshan", "Darshan with traces", "diya, recording", "diya, with the log"]


def prepare(folder: Path) -> None:
    """The input of one run."""
    (folder / "small").write_bytes(b"x" * 2000)
    for number in range(4000):
        place = folder / "tree" / f"{number % 40}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}").write_bytes(b"x" * 2048)


def clean() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith(("DIYA_", "DARSHAN_", "LD_PRELOAD"))}


def command_of(variant: str, command: str, args: argparse.Namespace, folder: Path) -> tuple[list[str], dict[str, str]]:
    """What is run, and its environment."""
    words = shlex.split(command.replace("{ior}", str(args.ior)).replace("{writes}", str(args.writes)))
    env = clean()
    if variant.startswith("Darshan"):
        logs = folder / "darshan"
        logs.mkdir()
        env |= {
            "LD_PRELOAD": str(args.darshan / "lib" / "libdarshan.so"),
            "DARSHAN_ENABLE_NONMPI": "1",
            "DARSHAN_EXCLUDE_DIRS": "none",
            "DARSHAN_LOG_DIR_PATH": str(logs),
        }
        if "traces" in variant:
            env |= {"DARSHAN_MOD_ENABLE": "DXT_POSIX,DXT_MPIIO", "DARSHAN_MODMEM": "512"}
    elif variant == "diya, recording":
        (folder / "segments").mkdir()
        settings = subprocess.run(
            [args.diya, "env", "--segments", str(folder / "segments")],
            check=True,
            env=env,
            capture_output=True,
            text=True,
        ).stdout
        words = ["sh", "-c", f"{settings}\nexec " + shlex.join(words)]
    elif variant == "diya, with the log":
        words = [str(args.diya), "run", "-q", "--force", "-o", str(folder / "log.diya"), "--", *words]
    return words, env


def processor_s(words: list[str], env: dict[str, str], folder: Path) -> float:
    """User and system time of a command and all it starts."""
    with open(folder / "output", "w") as output:
        child = subprocess.Popen(words, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{words[0]} failed: {(folder / 'output').read_text()[-400:]}")
    return used.ru_utime + used.ru_stime


def calls_in(log: Path, args: argparse.Namespace) -> int:
    """Calls that a log has, one by one or in runs."""
    query = "select sum(calls_recorded) as calls from process"
    done = subprocess.run(
        [args.diya, "sql", "--json", "-q", log, query], check=True, env=clean(), capture_output=True, text=True
    )
    return int(json.loads(done.stdout)[0]["calls"])


def one(variant: str, command: str, args: argparse.Namespace) -> tuple[float, int]:
    """Seconds of one run, and the calls that its log has, where there is one."""
    with tempfile.TemporaryDirectory(prefix="diya-bench.", dir=args.directory) as name:
        folder = Path(name)
        prepare(folder)
        words, env = command_of(variant, command, args, folder)
        seconds = processor_s(words, env, folder)
        left = {"Darshan": "darshan", "diya, with the log": "log.diya", "diya, recording": "segments"}.get(variant)
        if left and not ((folder / left).is_file() or any((folder / left).rglob("*.*"))):
            raise RuntimeError(f"{variant} left no record of {command}")
        return seconds, calls_in(folder / left, args) if left == "log.diya" else 0


def measure(args: argparse.Namespace) -> list[list[str]]:
    """Rows of the table: multiples of the bare run."""
    rows = []
    for name, what, command in PROGRAMS:
        if args.only and args.only not in name:
            continue
        calls = 1
        times: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
        for _ in range(args.rounds):
            for variant in VARIANTS:
                seconds, seen = one(variant, command, args)
                times[variant].append(seconds)
                calls = max(calls, seen)
        middle = {variant: statistics.median(found) for variant, found in times.items()}
        spread = max(max(found) / min(found) for found in times.values())
        recorded = middle["diya, recording"]
        end = middle["diya, with the log"] - recorded
        row = [name, what] + [f"{middle[variant] / middle['bare']:.2f}" for variant in VARIANTS[1:]]
        row += [f"{end / calls * 1e9:,.0f} ns", f"{end / recorded:.0%}".replace("%", " %"), f"{spread:.2f}"]
        print(" | ".join(row), flush=True)
        rows.append(row)
    return rows


HEAD = """# Cost of recording, compared with Darshan 3.5

Processor time (user and system) of a program and all it starts, as a multiple of its bare
run: medians of {rounds} rounds, the variants in turns, files in {directory}. **Recording** is
diya's part inside the program; **with the log** adds what `diya run` does at the end, so it
is to be compared with Darshan, which writes its log when a process ends. Darshan counts;
with traces (DXT) it records calls, as diya does, but only some 57,000 of them fit into the
memory that it gives a process for traces. **The end** is what `diya run` does when the program has
ended (packing, the log), for each recorded call and as a part of the recorded run. \
**Spread** is the largest quotient of
the slowest and the fastest round of one variant: differences below it say little.
Made by `scripts/recording-bench.sh`, with Darshan {darshan}, {ior} and a diya built by `{profile}`.

"""


def version_of(path: Path) -> str:
    return path.read_text().strip() if path.exists() else "of an unknown version"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=lambda path: Path(path).absolute(), required=True)
    parser.add_argument("--darshan", type=lambda path: Path(path).absolute(), required=True)
    parser.add_argument("--ior", type=lambda path: Path(path).absolute(), required=True)
    parser.add_argument("--profile", default="cargo build --release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="programs whose name has this")
    parser.add_argument("--directory", default="/dev/shm")
    parser.add_argument("--page", type=Path)
    args = parser.parse_args()
    if shutil.which("fio") is None:
        print("recording bench: fio is not installed (Debian: fio)", file=sys.stderr)
        return 2
    columns = ["program", "what it does", *VARIANTS[1:], "the end, each call", "the end, of the recorded run", "spread"]
    print(" | ".join(columns))
    with tempfile.TemporaryDirectory(prefix="diya-bench.") as programs:
        args.writes = Path(programs) / "writes"
        subprocess.run(["cc", "-O2", "-o", args.writes, HERE / "writes.c", "-lpthread"], check=True)
        rows = measure(args)
    if args.page:
        text = HEAD.format(
            rounds=args.rounds,
            directory=args.directory,
            profile=args.profile,
            darshan=version_of(args.darshan / "version"),
            ior=version_of(args.ior / "version"),
        )
        text += "| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|\n"
        args.page.write_text(text + "".join("| " + " | ".join(row) + " |\n" for row in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
