"""Job record, command line, mounts, names and module list from the bytes.

Source: struct darshan_job and darshan_log_get_exe/_mounts/_namehash of
Darshan 3.5.0.
"""

from __future__ import annotations

import struct

import numpy as np
from contract import COUNTER_TABLES
from log_bytes import LogBytes, Module
from lustre_bytes import lustre_tables
from record_bytes import Table, apmpi_summary, counter_table, mdhim_tables, old_streams
from trace_bytes import trace_tables

METADATA_BYTES = 1024


def all_tables(log: LogBytes) -> dict[str, Table]:
    """Every table the bytes hold."""
    tables = job_tables(log) | trace_tables(log)
    tables["file"] = names_with_mounts(name_records(log), tables["mount"])
    for module in log.modules.values():
        if not module.records:
            continue
        if module.name == "LUSTRE":
            tables |= lustre_tables(module, log.order)
        elif module.name == "MDHIM":
            tables |= mdhim_tables(module.records, log.order)
        elif module.name in COUNTER_TABLES:
            table = counter_table(module, log.order)
            tables |= {COUNTER_TABLES[module.name]: table} if table else {}
            if (module.name, module.version) == ("POSIX", 1):
                streams = old_streams(module, log.order)
                tables |= {"stdio": streams} if streams else {}
            if module.name == "APMPI":
                tables["apmpi_summary"] = apmpi_summary(module.records, log.order)
    parts = [*log.parts, *log.modules.values()]
    tables["module"] = {
        "module": np.array([m.name for m in parts], object),
        "module_id": np.array([m.id for m in parts], object),
        "version": np.array([m.version for m in parts], object),
        "offset_bytes": np.array([m.offset_bytes for m in parts]),
        "stored_bytes": np.array([m.stored_bytes for m in parts]),
        "is_partial": np.array([m.is_partial for m in parts]),
        "is_decoded": np.array([is_decoded(m, log.order) for m in parts]),
    }
    return tables


def is_decoded(module: Module, order: str) -> bool:
    """Whether a module's records end up in a table: known, and a whole number of them."""
    if module.name not in COUNTER_TABLES or module.name == "MDHIM":
        return module.name != "APXC" and not module.name.startswith("module ")
    return counter_table(module, order) is not None


def job_tables(log: LogBytes) -> dict[str, Table]:
    """Job, mounts and the hints Darshan used for its own log."""
    is_new = log.version == "3.41" and not log.is_prerelease_job
    count = 7 if is_new else 5
    fields = struct.unpack_from(f"{log.order}{count}q", log.job)
    if is_new:
        uid, start_s, start_ns, end_s, end_ns, nprocs, job_id = fields
    else:
        uid, start_s, end_s, nprocs, job_id = fields
        start_ns = end_ns = 0
    tail = 8 * count + METADATA_BYTES
    metadata = log.job[8 * count : tail].split(b"\0")[0].decode("utf-8", "replace")
    command, *mounts = log.job[tail:].split(b"\0")[0].decode("utf-8", "replace").split("\n")
    pairs = dict(line.split("=", 1) for line in metadata.split("\n") if "=" in line)
    start, end = start_s * 10**9 + start_ns, end_s * 10**9 + end_ns
    if end_s == 0:
        run_time_s = None
    elif is_new:
        run_time_s = (end - start) / 1e9
    else:
        # Whole seconds; Darshan adds 1 (darshan_log_get_job_runtime).
        run_time_s = float(end_s - start_s + 1)
    job = {
        "job_id": job_id,
        "uid": uid,
        "command_line": command or None,
        "nprocs": nprocs,
        "start_time": start,
        "end_time": end or None,
        "run_time_s": run_time_s,
        "log_version": log.version,
        "library_version": pairs.get("lib_ver"),
        "is_big_endian": log.order == ">",
        "compression": log.compression,
        "metadata": metadata or None,
    }
    hints = [h.split("=", 1) for h in pairs.get("h", "").split(";") if "=" in h]
    lines = [line.split("\t", 1)[::-1] for line in mounts if "\t" in line]
    return {
        "job": {k: np.array([v], None if isinstance(v, int | float) else object) for k, v in job.items()},
        "mount": two_columns("mount", "fs_type", lines),
        "mpi_hint": two_columns("hint", "value", hints),
    }


def two_columns(first: str, second: str, rows: list[list[str]]) -> Table:
    """Pairs of text -> two columns."""
    return {n: np.array([r[i] for r in rows], object) for i, n in enumerate((first, second))}


def name_records(log: LogBytes) -> dict[int, str | None]:
    """Record id -> name: the first name that is not empty, ``None`` when all are."""
    names: dict[int, str | None] = {}
    at = 0
    while at + 8 < len(log.names):
        record_id = struct.unpack_from(f"{log.order}Q", log.names, at)[0]
        if log.version == "3.00":
            length = struct.unpack_from(f"{log.order}I", log.names, at + 8)[0]
            raw, at = log.names[at + 12 : at + 12 + length], at + 12 + length
        else:
            end = log.names.find(b"\0", at + 8)
            raw, at = log.names[at + 8 : end], end + 1
        name = raw.decode("utf-8", "replace") or None
        names[record_id] = names.get(record_id) or name
    return names


def names_with_mounts(names: dict[int, str | None], mounts: Table) -> Table:
    """Names and the longest mount point that holds each of them."""
    points = sorted(zip(mounts["mount"], mounts["fs_type"], strict=True), key=lambda m: -len(m[0]))
    found = [next((m for m in points if name and holds(m[0], name)), (None, None)) for name in names.values()]
    return {
        "file_id": np.array(list(names), "u8"),
        "path": np.array(list(names.values()), object),
        "mount": np.array([m for m, _ in found], object),
        "fs_type": np.array([t for _, t in found], object),
    }


def holds(mount: str, path: str) -> bool:
    """Whether the path lies below the mount point: whole path components only."""
    return path == mount or path.startswith(mount.rstrip("/") + "/")
