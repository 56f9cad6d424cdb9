"""What the Python package costs: its import, and handing ten million calls to other packages.

    PYTHON benches/python_package.py --log BIG.darshan [--rounds 5] [--json FILE]

PYTHON has the wheel and the packages of tests/python/requirements.txt. Imports take turns, as
in readers.py. Each hand-over is a process of its own, which says how much memory it keeps
(resident and its own, from /proc: pages of libraries do not count) before and after, and the
most in between.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from readers import Line, measure

#: Numbers of every call, without nulls.
NUMBERS = "select rank, offset_bytes, size_bytes, start_s, end_s from call"

#: What a package does with the rows, and the bytes of what it then has.
TAKE = {
    "pyarrow": ("import pyarrow", "pyarrow.table(rows)", "frame.nbytes"),
    "polars": ("import polars", "polars.DataFrame(rows)", "frame.estimated_size()"),
    "pandas": ("import pandas", "pandas.DataFrame.from_arrow(rows)", "int(frame.memory_usage().sum())"),
    "duckdb": ("import duckdb", "duckdb.sql('select max(end_s), sum(size_bytes) from rows').fetchall()", "0"),
    "numpy, a copy": (
        "import numpy, pyarrow",
        "[numpy.concatenate([numpy.asarray(piece) for piece in column.chunks]) for column in pyarrow.table(rows)]",
        "sum(column.nbytes for column in frame)",
    ),
}

CHILD = """
import ctypes, json, os, re, sys, time
import diya
{imports}
def kept(what):
    return int(re.search(what + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
job = diya.open(sys.argv[1])
rows = {rows}
# Memory that reading has given back must not hide a copy.
ctypes.CDLL(None).malloc_trim(0)
open("/proc/self/clear_refs", "w").write("5")
before, all_before, begin = kept("RssAnon"), kept("VmRSS"), time.process_time()
frame = {take}
cpu_s = time.process_time() - begin
print(json.dumps(dict(
    grown=kept("RssAnon") - before, most=kept("VmHWM") - all_before, resident=kept("VmRSS"), cpu_s=cpu_s, bytes={size}
)))
"""


def import_lines(rounds: int) -> list[Line]:
    """``import diya``, beyond the start of Python, beside that of numpy."""
    codes = ["pass", "import diya", "import diya; diya.open", "import numpy", "import polars"]
    bare, plain, native, *others = measure(10 * rounds, *([sys.executable, "-c", code] for code in codes))
    beyond = [(cost.wall_s - bare.wall_s) * 1e3 for cost in (plain, native, *others)]
    return [
        Line("`import diya`, beyond the start of Python", 50, beyond[0], "ms"),
        Line("the same, of `import numpy`", None, beyond[0] / beyond[2], "times"),
        Line("with the native module (the first `diya.open`), of `import numpy`", None, beyond[1] / beyond[2], "times"),
        Line("with the native module, of `import polars`", None, beyond[1] / beyond[3], "times"),
    ]


def hand_over(log: Path, rows: str, package: str) -> dict[str, float]:
    """Memory and processor time of one hand-over, in a process of its own."""
    imports, take, size = TAKE[package]
    code = CHILD.format(imports=imports, rows=rows, take=take, size=size)
    done = subprocess.run([sys.executable, "-c", code, log], check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def table_lines(log: Path) -> list[Line]:
    """Ten million calls: five columns of a query, and the whole table."""
    lines = []
    costs = {package: hand_over(log, f"job.sql({NUMBERS!r})", package) for package in TAKE}
    copy, whole = costs["numpy, a copy"], costs["pyarrow"]["bytes"]
    for package, cost in costs.items():
        grown = cost["grown"] / whole
        # polars is what the goal names; pyarrow also loads code at its first use.
        limit = 0.05 if package == "polars" else None
        lines += [
            Line(f"five columns to {package}: memory, of the columns", limit, grown, "times"),
            Line(f"five columns to {package}: CPU, of a copy by numpy", None, cost["cpu_s"] / copy["cpu_s"], "times"),
        ]
    table = hand_over(log, 'job.table("call")', "polars")
    lines += [
        Line(
            "table `call` to polars, all columns: memory, of the frame", None, table["grown"] / table["bytes"], "times"
        ),
        Line("the most in between, of the frame", None, table["most"] / table["bytes"], "times"),
        Line("resident afterwards", None, table["resident"] / 1e6, "MB"),
    ]
    return lines


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", type=Path, required=True, help="a log of ten million calls")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="where the figures go, for trace_cost.py")
    options = parser.parse_args()
    lines = [*import_lines(options.rounds), *table_lines(options.log.resolve())]
    print("| what | target | figure | |\n|---|---|---:|---|")
    print("\n".join(map(str, lines)))
    if options.json:
        options.json.write_text(json.dumps([vars(line) for line in lines], indent=1))
    return 0 if all(line.limit is None or line.figure <= line.limit for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
