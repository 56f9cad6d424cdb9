"""The table contract, read from ``schema/tables/*.toml``.

The comparison takes from it which Darshan counter stands in which column and
which recorded value a null may replace, so that no list of columns is kept
twice.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

#: Darshan module -> table that holds its fixed-size records.
COUNTER_TABLES = {
    "POSIX": "posix",
    "MPI-IO": "mpiio",
    "STDIO": "stdio",
    "H5F": "hdf5_file",
    "H5D": "hdf5_dataset",
    "PNETCDF_FILE": "pnetcdf_file",
    "PNETCDF_VAR": "pnetcdf_var",
    "BG/Q": "bgq",
    "DFS": "dfs",
    "DAOS": "daos",
    "APMPI": "apmpi",
    "MDHIM": "mdhim",
}

#: Columns that name a row. The order of rows with the same key counts too.
KEYS = {
    "job": (),
    "mount": ("mount", "fs_type"),
    "file": ("file_id",),
    "module": ("module",),
    "rank_host": ("rank", "host", "source"),
    "mpi_hint": ("hint", "value"),
    "heatmap": ("layer", "rank", "op", "bin"),
    "lustre_component": ("file_id", "rank", "component"),
    "lustre_target": ("file_id", "rank", "component", "stripe"),
    "call": ("layer", "op", "file_id", "rank"),
    "apmpi_summary": (),
    "mdhim_server": ("file_id", "rank", "server"),
    "size_histogram": ("file_id", "rank", "layer", "op", "size_lo_bytes"),
    "access_size": ("file_id", "rank", "layer", "position"),
} | {table: ("file_id", "rank") for table in COUNTER_TABLES.values()}


@dataclass(frozen=True)
class Column:
    """One column of the contract.

    ``null_when`` names the recorded value that becomes null: ``minus_one``,
    ``zero``, ``zero_unshared`` (0 in a record of one rank) or ``None``.
    """

    name: str
    type: str
    counter: str | None
    null_when: str | None


@cache
def columns(table: str) -> tuple[Column, ...]:
    """Columns of a table, in the order of the contract."""
    path = REPOSITORY / "schema" / "tables" / f"{table}.toml"
    with path.open("rb") as file:
        schema = tomllib.load(file)
    return tuple(
        Column(
            name=column["name"],
            type=column["type"],
            counter=column.get("darshan"),
            null_when=column.get("null_when"),
        )
        for column in schema["columns"]
    )


@cache
def column_of_counter(table: str) -> dict[str, str]:
    """Darshan counter name -> column name."""
    return {c.counter: c.name for c in columns(table) if c.counter is not None}


@cache
def null_rule(table: str, column: str) -> str | None:
    """Recorded value that the column shows as null."""
    return next((c.null_when for c in columns(table) if c.name == column), None)
