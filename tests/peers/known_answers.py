"""Runs the known answers of ``corpus/*.toml``: what the programs did, as SQL.

    python tests/peers/known_answers.py --diya target/debug/diya
    python tests/peers/known_answers.py --pydarshan

The first form asks ``diya sql``. The second checks the answers themselves: it
fills an SQLite database with what PyDarshan reads (and with the bytes for the
DXT segments and logs that PyDarshan does not) and asks that.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import os
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import numpy as np
from compare import Table
from contract import KEYS, REPOSITORY, columns
from derived_tables import derived_tables
from job_bytes import all_tables
from legacy_bytes import legacy_tables
from log_bytes import NotDarshan3, read_log_bytes
from pydarshan_equal import pydarshan_tables

CORPUS = REPOSITORY / "corpus"
SHARED = Path(os.environ.get("DIYA_SHARED", REPOSITORY.parent / "shared")) / "logs"
QUERY_LIMIT_S = 120


def manifests() -> list[tuple[Path, dict]]:
    """Folder and entry of every log that is here."""
    found = []
    for name, folder in (("manifest.toml", CORPUS), ("shared-manifest.toml", SHARED)):
        with (CORPUS / name).open("rb") as file:
            entries = tomllib.load(file)["log"]
        # Those of the project are always here; the shared ones where their folder is.
        found += [(folder, entry) for entry in entries if folder == CORPUS or (folder / entry["path"]).exists()]
    return found


def ask_diya(diya: Path, log: Path, sql: str) -> str:
    """The one value that a query returns, as diya prints it in CSV."""
    command = [diya, "sql", log, sql, "--format", "csv"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=QUERY_LIMIT_S, check=False)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip()[:200]}"
    rows = list(csv.reader(io.StringIO(done.stdout)))
    return rows[1][0] if len(rows) == 2 and len(rows[1]) == 1 else repr(rows)


def database(log: Path) -> sqlite3.Connection:
    """What PyDarshan reads, in tables of the contract."""
    try:
        recorded = all_tables(read_log_bytes(log))
    except NotDarshan3:  # PyDarshan refuses them; the bytes stand in.
        return filled(legacy_tables(log))
    with tempfile.TemporaryDirectory() as folder:
        peer, words = pydarshan_tables(log, Path(folder))
    if peer is None:
        raise RuntimeError(words)
    calls = recorded.get("call")
    if calls is not None and len(peer.get("call", {}).get("rank", ())) == 0:
        peer["call"] = calls
    # PyDarshan shows a killed job with end time 0 and a negative run time.
    peer["job"] |= {n: recorded["job"][n] for n in ("end_time", "run_time_s", "compression")}
    peer |= {n: t for n, t in derived_tables(recorded).items() if t}
    return filled(peer)


def filled(tables: dict[str, Table]) -> sqlite3.Connection:
    """A database with every table of the contract, empty ones too."""
    connection = sqlite3.connect(":memory:")
    for name in KEYS:
        fill(connection, name, tables.get(name, {}))
    return connection


def fill(connection: sqlite3.Connection, name: str, table: Table) -> None:
    """One table; columns that PyDarshan does not know stay empty."""
    names = [c.name for c in columns(name)]
    connection.execute(f'create table "{name}" ({", ".join(names)})')
    if not table:
        return
    rows = len(next(iter(table.values())))
    values = [plain(table[n]) if n in table else [None] * rows for n in names]
    marks = ", ".join("?" * len(names))
    connection.executemany(f'insert into "{name}" values ({marks})', zip(*values, strict=True))


def plain(column: np.ndarray) -> list:
    """Values SQLite takes: ids beyond 63 bits as their signed twins."""
    signed = column.view("i8") if column.dtype == np.uint64 else column
    return signed.tolist()


def main() -> int:
    """Ask every query of every log that is here."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, default=Path("target/debug/diya"))
    parser.add_argument("--pydarshan", action="store_true", help="check the answers themselves")
    arguments = parser.parse_args()
    passed, failed = 0, 0
    for folder, entry in manifests():
        log = folder / entry["path"]
        if hashlib.sha256(log.read_bytes()).hexdigest() != entry["sha256"]:
            print(f"FAIL {entry['path']}: not the log that was described (sha256)")
            failed += 1
            continue
        source = database(log) if arguments.pydarshan else None
        for answer in entry["answers"]:
            if source is not None:
                given = str(source.execute(answer["sql"]).fetchone()[0])
            else:
                given = ask_diya(arguments.diya.resolve(), log, answer["sql"])
            if given == str(answer["equals"]):
                passed += 1
            else:
                failed += 1
                print(f"FAIL {entry['path']}: {answer['sql']}: {given}, not {answer['equals']}")
    print(f"\n{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
