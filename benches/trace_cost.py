"""Writes lab/costs/trace-cost.md from the numbers of the benchmarks of traces and of the package.

    python3 benches/traces.py --diya target/release/diya --logs $DIYA_SHARED/logs/generated \
        --recorder BUILDS --analyzer PYTHON --json $room/traces.json
    PYTHON benches/python_package.py --log $DIYA_SHARED/logs/generated/lib-3.5.0/big_10m.darshan \
        --json $room/python.json
    python3 benches/trace_cost.py $room >lab/costs/trace-cost.md

Seconds depend on the machine: they are left out where no yardstick of the same run stands beside
them. The text is that of benches/trace_cost.md.
"""

from __future__ import annotations

import json
import pathlib
import sys

#: Seconds and milliseconds that are goals themselves, each with its yardstick in the next row.
ABSOLUTE = ("strace, 1 M lines: CPU", "`import diya`, beyond the start of Python")


def table(lines: list[dict]) -> str:
    """Rows with what was reached."""
    rows = ["| what | measured | goal | |", "|---|---:|---:|---|"]
    for line in lines:
        what, limit, figure, unit = (line[key] for key in ("what", "limit", "figure", "unit"))
        if unit in ("s", "ms") and what not in ABSOLUTE:
            continue
        goal = "" if limit is None else f"{limit:,.3g} {unit}"
        result = "" if limit is None else "reached" if figure <= limit else "**missed**"
        rows.append(f"| {what} | {figure:,.3g} {unit} | {goal} | {result} |")
    return "\n".join(rows)


def main() -> None:
    """Print the page."""
    room = pathlib.Path(sys.argv[1])
    text = (pathlib.Path(__file__).parent / "trace_cost.md").read_text()
    for name in ("traces", "python"):
        text = text.replace("{{" + name + "}}", table(json.loads((room / f"{name}.json").read_text())))
    print(text, end="")


if __name__ == "__main__":
    main()
