"""What `diya export` writes, read back: Parquet by pyarrow and DuckDB, archives of OTF2 by the package
otf2, events of Chrome and DFTracer by Python's JSON. `lab/agree/readers-agree.sh` asks DFTracer itself."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import diya
import duckdb
import pyarrow.parquet
import pytest

ROOT = Path(__file__).parents[2]
#: MPI-IO above POSIX, and a log of Darshan.
LOGS = [
    ROOT / "corpus/traces/recorder_nest_3.0.tar",
    ROOT / "corpus/logs/ior_mpiio_coll_hints.darshan",
]
#: Calls, bytes read and written.
Sums = tuple[int, int, int]
SUMS = """select count(*) as calls,
coalesce(sum(case when op = 'read' then size_bytes end), 0) as read,
coalesce(sum(case when op = 'write' then size_bytes end), 0) as written from {call}"""


def parquet(folder: Path) -> Sums:
    """By pyarrow and by DuckDB, which must agree."""
    table = folder / "call.parquet"
    rows = pyarrow.parquet.read_table(table).to_pylist()
    moved = [sum(row["size_bytes"] or 0 for row in rows if row["op"] == op) for op in ("read", "write")]
    answer = duckdb.sql(SUMS.format(call=f"'{table}'"))
    assert answer is not None
    (found,) = answer.fetchall()
    assert tuple(found) == (len(rows), *moved)
    return (len(rows), moved[0], moved[1])


def events(file: Path, lines: bool) -> Sums:
    """Events that have the bytes of a call, by Python's JSON."""
    text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()
    every = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    every = every["traceEvents"] if isinstance(every, dict) else every
    calls = [event for event in every if event.get("cat", "").lower() in ("posix", "stdio", "mpiio")]
    size = "ret" if lines else "size_bytes"
    moved = [
        sum(max(event["args"].get(size, 0), 0) for event in calls if op in event["name"]) for op in ("read", "write")
    ]
    return (len(calls), moved[0], moved[1])


def otf2(folder: Path) -> Sums:
    """By the reader of the package otf2."""
    command = [sys.executable, str(ROOT / "tests/peers/otf2_text.py"), str(folder / "traces.otf2")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in text.splitlines()]
    calls = sum(int(words[3]) for words in lines if words[0] == "region")
    moved = [
        sum(int(words[5]) for words in lines if words[0] == "moved" and words[7] == op) for op in ("read", "write")
    ]
    # A log without functions has operations only.
    operations = sum(int(words[3]) for words in lines if words[0] == "moved")
    return (calls or operations, moved[0], moved[1])


READERS: dict[str, Callable[[Path], Sums]] = {
    "parquet": parquet,
    "chrome": lambda folder: events(folder / "trace.json", lines=False),
    "dftracer": lambda folder: events(folder / "trace.pfw.gz", lines=True),
}
# It has wheels for Python 3.11 only.
if find_spec("otf2"):
    READERS["otf2"] = otf2


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
@pytest.mark.parametrize("written", READERS)
def test_calls_and_bytes_come_back(log: Path, written: str, tmp_path: Path) -> None:
    # A folder that exists gets the files of every format.
    command = [sys.executable, "-m", "diya", "export", "-q", str(log), "--format", written]
    subprocess.run([*command, "-o", str(tmp_path)], check=True, capture_output=True)
    with diya.open(str(log), system_files=True) as job:
        (sums,) = job.sql(SUMS.format(call="call")).to_dicts()
        named = job.sql("select count(*) as regions from region").to_dicts()[0]["regions"]
    calls, read, moved = READERS[written](tmp_path)
    if written == "otf2":
        calls -= named  # regions are functions, too
    assert (calls, read, moved) == (sums["calls"], sums["read"], sums["written"])
