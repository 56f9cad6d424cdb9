"""What PyDarshan reads, record by record, in the columns of the table contract.

PyDarshan prints from C, and on some logs it crashes: the comparison calls
`write_tables` in a process of its own.

Values are left as PyDarshan gives them: -1 and 0 stay -1 and 0.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import darshan.backend.cffi_backend as backend
import numpy as np
from contract import COUNTER_TABLES, column_of_counter
from log_bytes import HEATMAP_LAYERS

Table = dict[str, np.ndarray]
APMPI_TIMES = ("mpiop_totaltime_", "mpiop_synctime_", "mpi_global_")
SEGMENT = np.dtype([("offset_bytes", "i8"), ("size_bytes", "i8"), ("start_s", "f8"), ("end_s", "f8")])


def records(log: dict, module: str):
    """Records of a module, one dict each, until PyDarshan says it has no more."""
    while (record := backend.log_get_record(log, module)) is not None:
        yield record


def generic_table(log: dict, module: str) -> Table:
    """Fixed-size records by column; columns without a counter name by their key."""
    table = COUNTER_TABLES[module]
    rows = list(records(log, module))
    counters = backend.counter_names(module), backend.fcounter_names(module)
    if counters[0] is None:  # BG/Q: PyDarshan looks for "bg/q_counter_names"
        names = list(column_of_counter(table))
        counters = names[:-1], names[-1:]
    columns = {name: np.array([r[key] for r in rows], kind) for name, key, kind in HEAD}
    for kind, names in zip(("counters", "fcounters"), counters, strict=True):
        values = np.array([r[kind] for r in rows]).reshape(len(rows), len(names))
        for index, name in enumerate(names):
            columns[column_of_counter(table)[name]] = values[:, index]
    if rows and "file_rec_id" in rows[0]:
        columns["file_rec_id"] = np.array([r["file_rec_id"] for r in rows], "u8")
    return columns


HEAD = (("file_id", "id", "u8"), ("rank", "rank", "i8"))


def apmpi_tables(log: dict) -> dict[str, Table]:
    """The first record is a header, all others are counters of one rank."""
    head = backend.log_get_apmpi_record(log, "APMPI", "HEADER")
    rows = []
    while (row := backend.log_get_apmpi_record(log, "APMPI", "PERF")) is not None:
        rows.append(row)
    columns = {name: np.array([r[key] for r in rows], kind) for name, key, kind in HEAD}
    columns["node_name"] = np.array([r["node_name"] or None for r in rows], object)
    for counter, column in column_of_counter("apmpi").items():
        columns[column] = np.array([r["all_counters"][counter] for r in rows])
    summary = {
        "is_sync_time_measured": np.array([bool(head["sync_flag"])]),
        "f_variance_total_mpitime": np.array([head["variance_total_mpitime"]]),
        "f_variance_total_mpisynctime": np.array([head["variance_total_mpisynctime"]]),
    }
    return {"apmpi": columns, "apmpi_summary": summary}


def call_table(log: dict, module: str) -> Table:
    """DXT records without the dicts that ``log_get_dxt_record`` makes of every segment."""
    ffi, library = backend.ffi, backend.libdutil
    index = backend.log_get_modules(log)[module]["idx"]
    head_bytes = ffi.sizeof("struct dxt_file_record")
    parts = []
    while True:
        buffer = ffi.new("void **")
        if library.darshan_log_get_record(log["handle"], index, buffer) < 1:
            break
        record = ffi.cast("struct dxt_file_record **", buffer)[0]
        counts = [record.write_count, record.read_count]
        segments = ffi.buffer(buffer[0] + head_bytes, sum(counts) * SEGMENT.itemsize)
        host = ffi.string(record.hostname).decode("utf-8") or None
        parts.append((record.base_rec.id, record.base_rec.rank, host, counts))
        parts[-1] += (np.frombuffer(segments, SEGMENT).copy(),)
        library.darshan_free(buffer[0])
    lengths = [len(p[4]) for p in parts]
    calls = np.concatenate([p[4] for p in parts] or [np.empty(0, SEGMENT)])
    table = {name: calls[name].copy() for name in SEGMENT.names}
    kinds = ("u8", "i8", object)
    for position, (name, kind) in enumerate(zip(("file_id", "rank", "host"), kinds, strict=True)):
        table[name] = np.repeat(np.array([p[position] for p in parts], kind), lengths)
    flat = np.array([p[3] for p in parts], "i8").ravel()
    table["op"] = np.repeat(np.array(["write", "read"] * len(parts), object), flat)
    table["layer"] = np.full(len(calls), "posix" if module == "DXT_POSIX" else "mpiio", object)
    return table


def heatmap_table(log: dict) -> Table:
    """Bins of every record, as ``Heatmap`` would hold them."""
    parts = []
    for record in records(log, "HEATMAP"):
        bins, width_s = record["nbins"], record["bin_width_seconds"]
        for op in ("write", "read"):
            parts.append(
                {
                    "layer": np.full(bins, HEATMAP_LAYERS.get(record["id"]), object),
                    "rank": np.full(bins, record["rank"], "i8"),
                    "op": np.full(bins, op, object),
                    "bin": np.arange(bins),
                    "bin_start_s": np.arange(bins) * width_s,
                    "bin_width_s": np.full(bins, width_s),
                    "bytes": record[f"{op}_bins"],
                }
            )
    return {k: np.concatenate([p[k] for p in parts]) for k in parts[0]} if parts else {}


def lustre_tables(log: dict) -> dict[str, Table]:
    """One row per component, one per stripe."""
    components, targets = [], []
    names = [column_of_counter("lustre_component")[c] for c in backend.counter_names("LUSTRE_COMP")]
    for record in records(log, "LUSTRE"):
        for index, component in enumerate(record["components"]):
            key = (record["id"], record["rank"], index)
            pool = component["pool_name"] or None
            components.append((*key, *component["counters"], pool))
            targets += [(*key, n, ost) for n, ost in enumerate(component["ost_ids"])]
    head = ("file_id", "rank", "component")
    return {
        "lustre_component": by_column((*head, *names, "pool_name"), components),
        "lustre_target": by_column((*head, "stripe", "ost_id"), targets),
    }


def by_column(names: tuple[str, ...], rows: list[tuple]) -> Table:
    """Rows -> columns; ids unsigned, text as objects."""
    kinds = {"file_id": "u8", "pool_name": object}
    return {n: np.array([r[i] for r in rows], kinds.get(n, "i8")) for i, n in enumerate(names)}


def job_tables(log: dict) -> dict[str, Table]:
    """Job, mounts, names and modules."""
    job = backend.log_get_job(log)
    modules = backend.log_get_modules(log)
    names = backend.log_get_name_records(log)
    nanoseconds = {f"{end}_time": job[f"{end}_time_sec"] * 10**9 + job[f"{end}_time_nsec"] for end in ("start", "end")}
    one_job = {
        "job_id": job["jobid"],
        "uid": job["uid"],
        "command_line": backend.log_get_exe(log),
        "nprocs": job["nprocs"],
        **nanoseconds,
        "run_time_s": job["run_time"],
        "log_version": job["log_ver"],
        "library_version": job["metadata"].get("lib_ver"),
    }
    hints = [h.split("=", 1) for h in job["metadata"].get("h", "").split(";") if "=" in h]
    mounts = backend.log_get_mounts(log)
    return {
        "job": {k: np.array([v], object if isinstance(v, str) else None) for k, v in one_job.items()},
        "mpi_hint": text_columns(("hint", "value"), hints),
        "mount": text_columns(("mount", "fs_type"), mounts),
        "file": {
            "file_id": np.array(list(names), "u8"),
            "path": np.array([n or None for n in names.values()], object),
        },
        "module": {
            "module": np.array(list(modules), object),
            "module_id": np.array([m["idx"] for m in modules.values()]),
            "version": np.array([m["ver"] for m in modules.values()]),
            "stored_bytes": np.array([m["len"] for m in modules.values()]),
            "is_partial": np.array([m["partial_flag"] for m in modules.values()]),
        },
    }


def text_columns(names: tuple[str, ...], rows: list) -> Table:
    """Rows of text -> columns."""
    return {name: np.array([r[i] for r in rows], object) for i, name in enumerate(names)}


def read_tables(path: str) -> dict[str, Table]:
    """Everything PyDarshan can tell about a log.

    Raises
    ------
    ValueError
        If PyDarshan gives no handle.
    """
    log = backend.log_open(path)
    if not log["handle"]:
        raise ValueError("PyDarshan gives no handle")
    tables = job_tables(log)
    calls = []
    for module in backend.log_get_modules(log):
        if module == "APMPI":
            tables |= apmpi_tables(log)
        elif module in COUNTER_TABLES and module != "MDHIM":
            tables[COUNTER_TABLES[module]] = generic_table(log, module)
        elif module.startswith("DXT_"):
            calls.append(call_table(log, module))
        elif module == "HEATMAP":
            tables["heatmap"] = heatmap_table(log)
        elif module == "LUSTRE":
            tables |= lustre_tables(log)
    if calls:
        tables["call"] = {k: np.concatenate([c[k] for c in calls]) for k in calls[0]}
    return tables


def write_tables(log: str, out: str, words: str) -> None:
    """Write the tables of a log as a pickle, and what is printed meanwhile to another file."""
    with Path(words).open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    tables = read_tables(log)
    with Path(out).open("wb") as file:
        pickle.dump(tables, file, protocol=5)
