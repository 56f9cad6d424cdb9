#!/usr/bin/env python3
"""Holds every check and every metric against a second SQL engine, DuckDB.

``engine_tables`` (an example of diya-checks) writes the tables of logs, the
statements, and what DataFusion answers, as Parquet. Here DuckDB answers the
same statements over the same tables. Rows have to be the same, in any order;
numbers that are no integers may differ in the last digits, as a sum depends on
the order of its terms.

A metric is computed from the tables that DataFusion made of its needs, so that
a difference shows in the statement that makes it.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow.parquet as parquet

#: The functions of crates/diya-query/src/functions.rs in DuckDB's words.
MACROS = """
create macro ratio(a, b) as
    case when cast(b as double) = 0 then null else cast(a as double) / cast(b as double) end;
create macro percentile(x, p) as quantile_cont(x, p);
create macro base_name(path) as regexp_replace(path, '^.*/', '');
create macro dir_name(path) as
    case when path not like '%/%' then ''
         when regexp_matches(path, '^/[^/]*$') then '/'
         else regexp_replace(path, '/[^/]*$', '') end;
create macro layer_depth(layer) as
    case when layer = 'netcdf' then 0
         when layer in ('hdf5_file', 'hdf5_dataset', 'hdf5_other', 'pnetcdf_file', 'pnetcdf_var') then 1
         when layer = 'mpiio' then 2
         when layer in ('posix', 'stdio', 'dfs') then 3
         when layer = 'daos' then 4 end;
create macro call_class(op) as
    case when op in ('read') then 'read'
         when op in ('write', 'flush') then 'write'
         when op in ('sync', 'datasync', 'sync_map') then 'sync'
         when op in ('lock') then 'lock'
         when op in ('map', 'unmap') then 'map'
         when op in ('wait') then 'completion'
         when op in ('open', 'close', 'seek', 'stat', 'truncate', 'allocate', 'advise', 'dup') then 'metadata'
         when op in ('control', 'rename', 'unlink', 'make', 'list', 'link', 'attribute', 'view', 'info') then 'metadata'
         when op in ('submit', 'create', 'other') then 'metadata'
         when op in ('spawn') then 'child' end;
create macro recorded_time(seconds) as
    case when seconds > -0.01 and isfinite(seconds) then greatest(seconds, 0.0) end;
create macro rank_time(rank, part, total, slowest) as
    case when rank >= 0 then recorded_time(part)
         when recorded_time(total) = 0 then 0.0 * recorded_time(slowest)
         else recorded_time(slowest) * ratio(recorded_time(part), recorded_time(total)) end;
"""
#: Sums of the same numbers in another order differ by this share at most.
RELATIVE = 1e-9
#: Differences of such sums may be all rounding: this share of the largest value.
OF_LARGEST = 1e-11

Row = tuple[object, ...]


def is_same(a: object, b: object, largest: float) -> bool:
    """Whether two cells are the same, numbers up to rounding."""
    if isinstance(a, float) or isinstance(b, float):
        if a is None or b is None:
            return a is b
        a, b = float(a), float(b)
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b or abs(a - b) <= RELATIVE * max(abs(a), abs(b)) + OF_LARGEST * largest
    return a == b


def order(row: Row) -> tuple[tuple[int, str, float], ...]:
    """A key that puts the rows of both engines in one order: exact cells first, then rounded numbers."""
    exact = [(0, "", 0.0) if cell is None else (1, str(cell), 0.0) for cell in row if not isinstance(cell, float)]
    rounded = [(2, f"{cell:.6e}", 0.0) for cell in row if isinstance(cell, float)]
    return (*exact, *rounded)


def with_floats(rows: list[Row], floats: set[int]) -> list[Row]:
    """Rows with these columns as floats: engines type a sum or a constant differently."""
    return [tuple(float(c) if i in floats and c is not None else c for i, c in enumerate(row)) for row in rows]


def difference(ours: list[Row], theirs: list[Row]) -> str | None:
    """What differs between two sets of rows, or None."""
    if len(ours) != len(theirs):
        return f"{len(ours)} rows in DataFusion, {len(theirs)} in DuckDB"
    floats = {i for rows in (ours, theirs) for row in rows for i, c in enumerate(row) if isinstance(c, float)}
    ours, theirs = with_floats(ours, floats), with_floats(theirs, floats)
    largest = [0.0] * (len(ours[0]) if ours else 0)
    for row in ours:
        for i in floats:
            if row[i] is not None and math.isfinite(row[i]):
                largest[i] = max(largest[i], abs(row[i]))
    ours, theirs = sorted(ours, key=order), sorted(theirs, key=order)
    for left, right in zip(ours, theirs, strict=True):
        for i, (a, b) in enumerate(zip(left, right, strict=True)):
            if not is_same(a, b, largest[i]):
                return f"column {i + 1}: {a!r} in DataFusion, {b!r} in DuckDB; rows {left} and {right}"
    return None


def rows_of(path: Path) -> tuple[list[str], list[Row]]:
    """Names of the columns and the rows of a Parquet file."""
    table = parquet.read_table(path)
    columns = [column.to_pylist() for column in table.columns]
    return table.column_names, list(zip(*columns, strict=True)) if columns else []


def compare_folder(folder: Path) -> tuple[int, int, list[str]]:
    """Compare all statements of a folder: how many there are, how many gave rows, what differs."""
    statements = json.loads((folder / "queries.json").read_text())
    faults, with_rows = [], 0
    engine = duckdb.connect(":memory:", config={"threads": 2})
    engine.execute(MACROS)
    for name in sorted({need for statement in statements for need in statement["needs"]}):
        path = folder / f"{name}.parquet"
        engine.execute(f"create table {name} as select * from read_parquet('{path}')")
    for statement in statements:
        names, expected = rows_of(folder / f"{statement['name']}.parquet")
        place = f"{statement['file']}: {statement['name']}"
        try:
            found = engine.execute(statement["sql"])
            columns = [column[0] for column in found.description]
            rows = found.fetchall()
        except duckdb.Error as error:
            faults.append(f"{place}: DuckDB refuses it: {error}")
            continue
        if columns != names:
            faults.append(f"{place}: columns {names} in DataFusion, {columns} in DuckDB")
            continue
        with_rows += bool(expected)
        fault = difference(expected, rows)
        if fault:
            faults.append(f"{place}: {fault}")
    return len(statements), with_rows, faults


def main() -> int:
    """Export, compare, print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--export", type=Path, required=True, help="the program engine_tables")
    parser.add_argument("--keep", type=Path, help="folder for the tables, kept (else a temporary one)")
    parser.add_argument("logs", nargs="+", help="logs that the statements are run over, all at once")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        subprocess.run([arguments.export.resolve(), folder, *arguments.logs], check=True)
        results = {part: compare_folder(part) for part in sorted(p.parent for p in folder.rglob("queries.json"))}
    logs = {part: result for part, result in results.items() if part.name == "logs"}
    cases = [result for part, result in results.items() if part.name != "logs"]
    faults = [f"{part.name}: {fault}" for part, (_, _, found) in results.items() for fault in found]
    print("\n".join(faults))
    for said, (count, with_rows, _) in [("logs", result) for result in logs.values()]:
        print(f"engines: {count} statements over the {said}, {with_rows} of them give rows")
    count, with_rows = sum(c for c, _, _ in cases), sum(w for _, w, _ in cases)
    print(f"engines: {count} statements over the cases of the checks, {with_rows} of them give rows")
    print(f"engines: {len(faults)} differences between DataFusion and DuckDB")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
