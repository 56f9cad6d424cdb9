"""How long a diagnosis takes, against Drishti's and against PyDarshan's read.

    python benches/report.py --diya target/release/diya [--logs ../shared/logs]

The full report: every metric and every check, as JSON with all metric tables,
and as text. Measured as in readers.py: whole processes in turns, CPU of user
and system, medians; ratios are of figures of the same run. Drishti and
PyDarshan run on the traces that they read in less than a minute, and, since
both start anew for each log, on a few of the thousand small logs.

The large traces are not part of the repository. Where the folder is not there,
the logs of ``corpus/`` stand in for them: then the ratios are of small logs,
and the limits of the large ones are not asked for.

The targets are promises to the user; the exit code is 1 when one is missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from readers import PYDARSHAN, SMALL_LOGS, Line, measure, run_once

#: Name, log below logs/, most CPU seconds, most bytes of memory, and whether peers run on it.
TRACES = [
    ("openPMD (276,882 segments)", "public/hpc-io+dxt-explorer/sample/jeanbez_8_*.darshan", 0.5, None, True),
    ("big_1m (1 M segments)", "generated/lib-3.5.0/big_1m.darshan", 1.5, None, True),
    ("bigmix_1m (1 M segments)", "generated/lib-3.5.0/bigmix_1m.darshan", 1.5, None, False),
    ("big_10m (10 M segments)", "generated/lib-3.5.0/big_10m.darshan", 12.0, 3e9, False),
]
#: The repository's own logs.
CORPUS = Path(__file__).resolve().parent.parent / "corpus" / "logs"
SMALL_LOG_BYTES = 20_000
#: Small logs that the peers read: each takes them a second or two.
PEER_LOGS = 5
FILES = 80_000
#: A program that writes so many files, 1,000 in a folder.
MANY_FILES = """
import os, sys
folder, number = sys.argv[1], int(sys.argv[2])
for at in range(number):
    below = f"{folder}/{at // 1000}"
    if at % 1000 == 0:
        os.makedirs(below)
    with open(f"{below}/{at}.dat", "wb", buffering=0) as file:
        file.write(bytes(1024))
"""


def found(logs: Path) -> list[tuple[str, Path, float | None, float | None, bool]]:
    """The traces that are there: name, log, most CPU seconds, most bytes, whether peers run on it."""
    there = []
    for name, pattern, most_cpu_s, most_bytes, has_peers in TRACES:
        log = next(iter(sorted(logs.glob(pattern))), None)
        if log is None:
            print(f"report bench: no {pattern} below {logs}", file=sys.stderr)
        else:
            there.append((name, log, most_cpu_s, most_bytes, has_peers))
    if not there:
        largest = max(CORPUS.glob("*.darshan"), key=lambda log: log.stat().st_size)
        there.append((f"corpus: {largest.stem}", largest, None, None, True))
    return there


def traces(diya: Path, logs: Path, rounds: int) -> list[Line]:
    """One trace at a time."""
    lines = []
    for name, log, most_cpu_s, most_bytes, has_peers in found(logs):
        report = [diya, "report", "--quiet", "--format", "json", log]
        commands = [report, [diya, "report", "--quiet", "--format", "text", log]]
        if has_peers:
            drishti = Path(sys.executable).with_name("drishti")
            commands += [[drishti, log], [sys.executable, "-c", PYDARSHAN, log]]
        whole, text, *peers = measure(rounds, *commands)
        lines += [
            Line(f"{name}: report with all tables, CPU", most_cpu_s, whole.cpu_s, "s"),
            Line(f"{name}: report as text, CPU", most_cpu_s, text.cpu_s, "s"),
            Line(f"{name}: wall", None, whole.wall_s, "s"),
            Line(f"{name}: peak memory", most_bytes and most_bytes / 1e6, whole.peak_bytes / 1e6, "MB"),
        ]
        for peer, cost in zip(("Drishti", "PyDarshan's read_all"), peers, strict=False):
            lines.append(Line(f"{name}: CPU, of {peer}", None, whole.cpu_s / cost.cpu_s, "times"))
            lines.append(Line(f"{name}: CPU as text, of {peer}", None, text.cpu_s / cost.cpu_s, "times"))
            lines.append(Line(f"{name}: {peer}, CPU", None, cost.cpu_s, "s"))
    return lines


def many_logs(diya: Path, logs: Path, rounds: int) -> list[Line]:
    """A thousand small logs in one call, all checks over all of them at once."""
    generated = logs / "generated"
    every = sorted((generated if generated.is_dir() else CORPUS).rglob("*.darshan"))
    small = [path for path in every if path.stat().st_size < SMALL_LOG_BYTES]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number:04}.darshan" for number in range(SMALL_LOGS)]
        for number, path in enumerate(paths):
            shutil.copyfile(small[number % len(small)], path)
        plain = ["report", "--quiet", "--format", "json", "--metrics", "none", "--separate"]
        checks, tables = measure(
            rounds, [diya, *plain, *paths], [diya, "report", "--quiet", "--format", "json", "--separate", *paths]
        )
    # The peers refuse some logs, and judge one at a time.
    drishti = Path(sys.executable).with_name("drishti")
    peers = {
        "Drishti": lambda log: [drishti, log],
        "PyDarshan's read_all": lambda log: [sys.executable, "-c", PYDARSHAN, log],
    }
    each_s = {peer: mean_cpu_s(command, small) for peer, command in peers.items()}
    return [
        *(
            Line(f"{SMALL_LOGS} small logs: CPU per log, of {peer}", None, checks.cpu_s / SMALL_LOGS / peer_s, "times")
            for peer, peer_s in each_s.items()
        ),
        Line(f"{SMALL_LOGS} small logs: report, CPU per log", 3.0, checks.cpu_s / SMALL_LOGS * 1e3, "ms"),
        Line(
            f"{SMALL_LOGS} small logs: with all metric tables, CPU per log", 3.0, tables.cpu_s / SMALL_LOGS * 1e3, "ms"
        ),
        Line(f"{SMALL_LOGS} small logs: peak memory", None, checks.peak_bytes / 1e6, "MB"),
    ]


def many_files(diya: Path, rounds: int) -> list[Line]:
    """One process that writes many files of 1 KiB, recorded by diya."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "files.diya"
        command = [diya, "run", "--quiet", "-o", log, "--", sys.executable, "-c", MANY_FILES]
        run_once([*command, str(Path(folder) / "files"), str(FILES)])
        report = [diya, "report", "--quiet", "--format"]
        text, whole = measure(rounds, [*report, "text", log], [*report, "json", log])
    return [
        Line(f"{FILES:,} files: report as text, CPU", 2.7, text.cpu_s, "s"),
        Line(f"{FILES:,} files: report with all tables, CPU", None, whole.cpu_s, "s"),
        Line(f"{FILES:,} files: peak memory as text", None, text.peak_bytes / 1e6, "MB"),
    ]


def mean_cpu_s(command, logs: list[Path]) -> float:
    """Mean CPU seconds of a peer on the first small logs that it can read.

    Raises
    ------
    RuntimeError
        If it reads none of them.
    """
    costs = []
    for log in logs:
        try:
            costs.append(run_once(command(log)).cpu_s)
        except RuntimeError:
            continue
        if len(costs) == PEER_LOGS:
            break
    if not costs:
        raise RuntimeError("a peer reads none of the small logs")
    return sum(costs) / len(costs)


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    shared = CORPUS.parent.parent.parent / "shared" / "logs"
    meaning = "the folder that holds generated/ and public/"
    parser.add_argument("--logs", type=Path, default=shared, help=meaning)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    diya = arguments.diya.resolve()
    lines = [
        *traces(diya, arguments.logs, arguments.rounds),
        *many_logs(diya, arguments.logs, arguments.rounds),
        *many_files(diya, arguments.rounds),
    ]
    print(f"{os.cpu_count()} processors, medians of {arguments.rounds} rounds\n")
    print("| what | target | figure | |\n|---|---|---:|---|")
    print("\n".join(map(str, lines)))
    return 0 if all(line.limit is None or line.figure <= line.limit for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
