"""Module regions -> tables, decoded with numpy from the layouts of the C headers.

The second half of the judge (see ``log_bytes.py``). A table is a dict of
columns; a column that a record version does not have is left out, and the
comparison then expects diya to show null.

Source: the ``darshan-*-log-format.h`` headers of Darshan 3.5.0 and, for older
records, the up-conversions in its ``darshan-*-logutils.c``.
"""

from __future__ import annotations

import struct

import numpy as np
from contract import COUNTER_TABLES, columns
from log_bytes import Module

Table = dict[str, np.ndarray]

# Counters that older record versions lack: module -> {last version without: names}.
_NEW_TIMES = ("F_CLOSE_START_TIMESTAMP", "F_OPEN_END_TIMESTAMP")
_RENAMES = ("FILENOS", "DUPS", "RENAME_SOURCES", "RENAME_TARGETS", "RENAMED_FROM")
_WAITS = (
    "CREATES REDEFS INDEP_WAITS COLL_WAITS SYNCS BYTES_READ BYTES_WRITTEN WAIT_FAILURES"
    " F_WAIT_START_TIMESTAMP F_WAIT_END_TIMESTAMP F_META_TIME F_WAIT_TIME"
).split()
LACKING = {
    "POSIX": {3: _RENAMES, 2: _NEW_TIMES},
    "MPI-IO": {2: _NEW_TIMES},
    "STDIO": {1: ("FDOPENS",)},
    "H5F": {2: ("FLUSHES", "USE_MPIIO", "F_META_TIME"), 1: _NEW_TIMES},
    "PNETCDF_FILE": {2: _WAITS, 1: _NEW_TIMES},
}
#: Old counters, in no column of today: (module, version) -> (index, names).
GONE = {
    ("POSIX", 1): (6, ("FOPENS", "FREADS", "FWRITES", "FSEEKS")),
    ("PNETCDF_FILE", 1): (0, ("INDEP_OPENS",)),
    ("PNETCDF_FILE", 2): (0, ("INDEP_OPENS",)),
    ("BG/Q", 1): (0, ("UNUSED",)),
}
TAILS = {
    "DFS": [("pool_uuid", "V16"), ("cont_uuid", "V16")],
    "DAOS": [("pool_uuid", "V16"), ("cont_uuid", "V16"), ("oid_hi", "u8"), ("oid_lo", "u8")],
    "APMPI": [("node_name", "S128")],
}
APMPI_HEAD_BYTES = 48


def record_type(module: str, version: int, order: str) -> np.dtype:
    """Layout of one record: id, rank, counters by column name, tail."""
    table = COUNTER_TABLES[module]
    names = [(c.name, "f8" if c.type == "f64" else "i8") for c in columns(table) if c.counter]
    for last_version, lacking in LACKING.get(module, {}).items():
        if version <= last_version:
            names = [n for n in names if n[0].upper() not in lacking]
    at, gone = GONE.get((module, version), (0, ()))
    names[at:at] = [(name, "i8") for name in gone]
    head = [("file_id", "u8"), ("rank", "i8")]
    if module == "PNETCDF_VAR" or (module == "H5D" and version >= 2):
        head.append(("file_rec_id", "u8"))
    fields = head + names + TAILS.get(module, [])
    return np.dtype([(name, kind if kind[0] in "VS" else order + kind) for name, kind in fields])


def counter_table(module: Module, order: str) -> Table | None:
    """Fixed-size records; ``None`` when the region is no whole number of them."""
    layout = record_type(module.name, module.version, order)
    records = module.records[APMPI_HEAD_BYTES if module.name == "APMPI" else 0 :]
    if len(records) % layout.itemsize:
        return None
    rows = np.frombuffer(records, layout)
    table = {name: native(rows[name]) for name in layout.names}
    if module.name == "PNETCDF_FILE" and module.version <= 2:
        table["opens"] = table["opens"] + table["INDEP_OPENS"]
    return {name: column for name, column in table.items() if name.islower()}


def old_streams(module: Module, order: str) -> Table | None:
    """Stream calls that POSIX v1 counts, of the files that were opened as streams."""
    rows = np.frombuffer(module.records, record_type("POSIX", 1, order))
    rows = rows[native(rows["FOPENS"]) > 0]
    names = {"file_id": "file_id", "rank": "rank"}
    names |= {name: f"F{name.upper()}" for name in ("opens", "reads", "writes", "seeks")}
    return {name: native(rows[old]) for name, old in names.items()} if len(rows) else None


def native(column: np.ndarray) -> np.ndarray:
    """A copy in this machine's byte order; bytes and uuids become text."""
    if column.dtype.kind == "V":
        hexes = [bytes(v).hex() for v in column]
        return np.array([f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}" for h in hexes], object)
    if column.dtype.kind == "S":
        return np.array([text(v) for v in column], object)
    return column.astype(column.dtype.newbyteorder("="))


def text(raw: bytes) -> str | None:
    """Text up to the first NUL; ``None`` when empty. Bytes that are no UTF-8 become U+FFFD."""
    return raw.split(b"\0")[0].decode("utf-8", "replace") or None


def apmpi_summary(records: bytes, order: str) -> Table:
    """The header record that stands before the counters of the ranks."""
    sync_flag = struct.unpack_from(f"{order}I", records, 24)[0]
    mpi, sync = struct.unpack_from(f"{order}2d", records, 32)
    return {
        "is_sync_time_measured": np.array([bool(sync_flag)]),
        "f_variance_total_mpitime": np.array([mpi]),
        "f_variance_total_mpisynctime": np.array([sync if sync_flag else None], object),
    }


def mdhim_tables(records: bytes, order: str) -> dict[str, Table]:
    """MDHIM: fixed counters, then one count for each of the servers."""
    names = [(c.name, order + c.type[0] + "8") for c in columns("mdhim") if c.counter]
    layout = np.dtype([("file_id", f"{order}u8"), ("rank", f"{order}i8"), *names])
    rows, servers, at = [], [], 0
    while at < len(records):
        rows.append(np.frombuffer(records, layout, 1, at)[0])
        count = int(rows[-1]["servers"])
        at += layout.itemsize
        operations = struct.unpack_from(f"{order}{count}q", records, at)
        key = int(rows[-1]["file_id"]), int(rows[-1]["rank"])
        servers += [(*key, server, calls) for server, calls in enumerate(operations)]
        at += 8 * count
    fixed = np.array(rows, layout)
    kinds = {"file_id": "u8"}
    return {
        "mdhim": {name: native(fixed[name]) for name in layout.names},
        "mdhim_server": {
            name: np.array([row[i] for row in servers], kinds.get(name, "i8"))
            for i, name in enumerate(("file_id", "rank", "server", "operations"))
        },
    }
