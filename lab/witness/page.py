"""Writes lab/witness/recorder-against-strace.md: tests/witness/compare.py with all its programs."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/witness"))
import compare  # noqa: E402

HEAD = """# The recorder against strace

Programs that Debian and PyPI ship, each run twice with the same input: under
`strace -ff -k` and under `diya run`. `strace` sees every system call, and by its stack who
made it. Counted are calls that move bytes of files and succeed. Pipes, sockets, terminals
and the files of `/proc` and `/sys`, which differ from process to process, are left out on
both sides. What is compared:

- **calls of the program** (POSIX): number and bytes are equal.
- **requests** of Linux AIO and POSIX AIO: number and bytes are equal.
- **C streams**: bytes written are equal. Bytes read are equal, or the C library reads ahead
  up to 4 KiB for each opening and seek; what `ungetc` gives back is subtracted.
- **the rest** is not recorded: what the dynamic loader reads of libraries, and what the C
  library reads for itself (time zones, languages, users). Table `process` has the bytes that
  the kernel counted, these included.

A difference is right only where diya's tables state it. Made by `lab/witness/strace-compare.sh`.
"""
COLUMNS = [
    "program",
    "processes recorded",
    "reads of the program: calls, bytes",
    "writes",
    "requests: calls, bytes",
    "streams: bytes read",
    "bytes written",
    "the rest: calls",
    "answer",
]


def same(theirs, ours) -> str:
    return show(theirs) if theirs == ours else f"{show(theirs)}; diya {show(ours)}"


def show(value) -> str:
    return ", ".join(f"{each:,}" for each in value) if isinstance(value, tuple) else f"{value:,}"


def requests(result) -> str:
    theirs = [sum(each) for each in zip(*result.strace.of("request"))]
    ours = [sum(each) for each in zip(*result.diya.of("request"))]
    ring = result.strace.calls["ring", "ring"]
    if ring:
        return f"{ring:,} of a ring, by own instructions"
    return same(tuple(theirs), tuple(ours)) if any(theirs + ours) else ""


def answer(result) -> str:
    if result.faults:
        return "FAULT: " + "; ".join(result.faults)
    if result.stated:
        return "stated: " + "; ".join(result.stated)
    ahead = result.strace.size["stream", "read"] - result.diya.size["stream", "read"]
    return f"equal, and {ahead:,} bytes read ahead" if ahead else "equal"


def row(result) -> list[str]:
    theirs, ours = result.strace, result.diya
    streams = [same(theirs.size["stream", each], ours.size["stream", each]) for each in ("read", "write")]
    rest = sum(count for (maker, _), count in theirs.calls.items() if maker in ("loader", "library"))
    own = [same(a, b) for a, b in zip(theirs.of("program"), ours.of("program"))]
    return [
        result.program["name"],
        str(result.processes["processes"]),
        *own,
        requests(result),
        *streams,
        f"{rest:,}",
        answer(result),
    ]


def write(path: Path, results: list) -> None:
    equal = sum(1 for result in results if not result.faults and not result.stated)
    stated = sum(1 for result in results if not result.faults and result.stated)
    lines = [
        HEAD,
        f"{len(results)} programs: {equal} equal, {stated} with a difference that the tables state, "
        f"{len(results) - equal - stated} with a fault of the recorder.",
        "",
        "Two numbers in a cell mean: strace first, then diya.",
        "",
        "| " + " | ".join(COLUMNS) + " |",
        "|---" * len(COLUMNS) + "|",
    ]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row(result)) + " |" for result in results]
    jobs = "\n".join(f"    {result.program['name']:<26}{result.program['command']}" for result in results)
    path.write_text("\n".join(lines) + f"\n\n## What was run\n\n{jobs}\n")


if __name__ == "__main__":
    # A part of the programs makes no page.
    keep = (
        None
        if {"--only", "--quick"} & set(sys.argv)
        else lambda results: write(HERE / "recorder-against-strace.md", results)
    )
    sys.exit(compare.main(keep))
