"""How long a diagnosis takes, against Drishti's and against PyDarshan's read.

    python benches/report.py --diya target/release/diya --logs ../shared/logs

The full report: every metric and every check, as JSON with all metric tables,
and as text. Measured as in readers.py: whole processes in turns, CPU of user
and system, medians. Drishti and PyDarshan run on the traces that they read in
less than a minute.

The targets are promises to the user; the exit code is 1 when one is missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from readers import PYDARSHAN, SMALL_LOGS, Line, measure

#: Name, log below logs/, most CPU seconds, most bytes of memory, and whether peers run on it.
TRACES = [
    ("openPMD (276,882 segments)", "public/hpc-io+dxt-explorer/sample/jeanbez_8_*.darshan", 0.5, None, True),
    ("big_1m (1 M segments)", "generated/lib-3.5.0/big_1m.darshan", 1.5, None, True),
    ("bigmix_1m (1 M segments)", "generated/lib-3.5.0/bigmix_1m.darshan", 1.5, None, False),
    ("big_10m (10 M segments)", "generated/lib-3.5.0/big_10m.darshan", 12.0, 3e9, False),
]
SMALL_LOG_BYTES = 20_000


def traces(diya: Path, logs: Path, rounds: int) -> list[Line]:
    """One trace at a time."""
    lines = []
    for name, pattern, most_cpu_s, most_bytes, has_peers in TRACES:
        log = next(iter(sorted(logs.glob(pattern))), None)
        if log is None:
            print(f"report bench: no {pattern} below {logs}", file=sys.stderr)
            continue
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
            lines.append(Line(f"{name}: {peer}, CPU", None, cost.cpu_s, "s"))
    return lines


def many_logs(diya: Path, logs: Path, rounds: int) -> list[Line]:
    """A thousand small logs in one call, all checks over all of them at once."""
    small = [p for p in sorted((logs / "generated").rglob("*.darshan")) if p.stat().st_size < SMALL_LOG_BYTES]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number:04}.darshan" for number in range(SMALL_LOGS)]
        for number, path in enumerate(paths):
            shutil.copyfile(small[number % len(small)], path)
        plain = ["report", "--quiet", "--format", "json", "--metrics", "none", "--separate"]
        checks, tables = measure(
            rounds, [diya, *plain, *paths], [diya, "report", "--quiet", "--format", "json", "--separate", *paths]
        )
    return [
        Line(f"{SMALL_LOGS} small logs: report, CPU per log", 3.0, checks.cpu_s / SMALL_LOGS * 1e3, "ms"),
        Line(f"{SMALL_LOGS} small logs: with all metric tables, CPU per log", None, tables.cpu_s / SMALL_LOGS * 1e3, "ms"),
        Line(f"{SMALL_LOGS} small logs: peak memory", None, checks.peak_bytes / 1e6, "MB"),
    ]


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--logs", type=Path, required=True, help="the folder that holds generated/ and public/")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    diya = arguments.diya.resolve()
    lines = [*traces(diya, arguments.logs, arguments.rounds), *many_logs(diya, arguments.logs, arguments.rounds)]
    print(f"{os.cpu_count()} processors, medians of {arguments.rounds} rounds\n")
    print("| what | target | figure | |\n|---|---|---:|---|")
    print("\n".join(map(str, lines)))
    return 0 if all(line.limit is None or line.figure <= line.limit for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
