"""DXT segments and heat maps from their bytes.

Source: darshan-dxt-log-format.h and darshan-heatmap-log-format.h of Darshan
3.5.0 and of its development branch (segments with thread ids).
"""

from __future__ import annotations

import numpy as np
from log_bytes import HEATMAP_LAYERS, LogBytes, Module
from record_bytes import Table, native


def call_table(module: Module, order: str) -> Table:
    """DXT: per record a head of 104 bytes, its writes, then its reads."""
    is_posix = module.name == "DXT_POSIX"
    fields = [("offset_bytes", "i8"), ("size_bytes", "i8"), ("start_s", "f8"), ("end_s", "f8")]
    if module.version >= (2 if is_posix else 3):
        fields.append(("thread", "u8"))
    segment = np.dtype([(name, order + kind) for name, kind in fields])
    head = np.dtype(
        [("file_id", f"{order}u8"), ("rank", f"{order}i8"), ("shared", f"{order}i8")]
        + [("host", "S64"), ("writes", f"{order}i8"), ("reads", f"{order}i8")]
    )
    at, heads, segments = 0, [], [np.empty(0, segment)]
    while at < len(module.records):
        record = np.frombuffer(module.records, head, 1, at)[0]
        count = int(record["writes"] + record["reads"])
        heads.append(record)
        segments.append(np.frombuffer(module.records, segment, count, at + head.itemsize))
        at += head.itemsize + count * segment.itemsize
    rows = np.array(heads, head)
    counts = np.stack([native(rows["writes"]), native(rows["reads"])], axis=1).ravel()
    each = np.repeat(np.arange(len(rows)), counts.reshape(-1, 2).sum(axis=1))
    calls = np.concatenate(segments)
    table = {name: native(calls[name]) for name in segment.names}
    if not is_posix and module.version == 1:
        # Its library wrote no MPI-IO offsets into the field.
        table["offset_bytes"] = np.ma.masked_all(len(calls), "i8")
    if "thread" not in table:
        table["thread"] = np.ma.masked_all(len(calls), "u8")
    table["layer"] = np.full(len(calls), "posix" if is_posix else "mpiio", object)
    table["op"] = np.repeat(np.array(["write", "read"] * len(rows), object), counts)
    for name in ("file_id", "rank", "host"):
        table[name] = native(rows[name])[each]
    return table


def heatmap_table(module: Module, order: str) -> Table:
    """Heat map records: a head of 48 bytes, write bins, read bins."""
    head = np.dtype([("id", f"{order}u8"), ("rank", f"{order}i8"), ("width", f"{order}f8")])
    at, parts = 0, []
    while at < len(module.records):
        record = np.frombuffer(module.records, head, 1, at)[0]
        bins = int(np.frombuffer(module.records, f"{order}i8", 1, at + 24)[0])
        counts = native(np.frombuffer(module.records, f"{order}i8", 2 * bins, at + 48))
        width_s, layer = float(record["width"]), HEATMAP_LAYERS.get(int(record["id"]))
        for op, counted in (("write", counts[:bins]), ("read", counts[bins:])):
            parts.append(
                {
                    "layer": np.full(bins, layer, object),
                    "rank": np.full(bins, record["rank"], "i8"),
                    "op": np.full(bins, op, object),
                    "bin": np.arange(bins),
                    "bin_start_s": np.arange(bins) * width_s,
                    "bin_width_s": np.full(bins, width_s),
                    "bytes": counted,
                }
            )
        at += 48 + 16 * bins
    return {k: np.concatenate([p[k] for p in parts]) for k in parts[0]} if parts else {}


def trace_tables(log: LogBytes) -> dict[str, Table]:
    """Calls of both DXT modules, and the heat map."""
    tables: dict[str, Table] = {}
    traced = [m for m in log.modules.values() if m.name.startswith("DXT_") and m.records]
    calls = [call_table(module, log.order) for module in traced]
    if calls:
        tables["call"] = {k: joined([c[k] for c in calls]) for k in calls[0]}
    heatmap = log.modules.get("HEATMAP")
    if heatmap is not None and heatmap.records:
        tables["heatmap"] = heatmap_table(heatmap, log.order)
    return tables


def joined(parts: list[np.ndarray]) -> np.ndarray:
    """Parts of a column; masked only where one of them is, as masks cost time."""
    is_masked = any(np.ma.isMaskedArray(part) for part in parts)
    return np.ma.concatenate(parts) if is_masked else np.concatenate(parts)
