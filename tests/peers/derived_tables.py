"""Tables that no reference holds as such, derived from its counters and calls."""

from __future__ import annotations

import numpy as np
from contract import columns

Table = dict[str, np.ndarray]

LAYERS = "posix mpiio stdio hdf5_dataset pnetcdf_var dfs daos".split()
#: Largest size of each bin as Darshan names it; the last bin has no upper end.
BIN_ENDS = {
    "0_100": 100,
    "100_1k": 1024,
    "1k_10k": 10240,
    "10k_100k": 102400,
    "100k_1m": 1 << 20,
    "1m_4m": 4 << 20,
    "4m_10m": 10 << 20,
    "10m_100m": 100 << 20,
    "100m_1g": 1 << 30,
    "1g_plus": None,
}


def derived_tables(tables: dict[str, Table]) -> dict[str, Table]:
    """size_histogram, access_size and rank_host of one log."""
    present = [layer for layer in LAYERS if layer in tables]
    return {
        "size_histogram": stacked([p for t in present for p in histogram(t, tables[t])]),
        "access_size": stacked([p for t in present for p in access_sizes(t, tables[t])]),
        "rank_host": rank_hosts(tables),
    }


def histogram(layer: str, table: Table) -> list[Table]:
    """One part per direction and bin, rows with at least one call."""
    parts = []
    for op in ("read", "write"):
        low = 0
        for label, high in BIN_ENDS.items():
            name = next((n for n in (f"size_{op}_{label}", f"size_{op}_agg_{label}") if n in table), None)
            if name is not None:
                part = {"op": op, "size_lo_bytes": low, "size_hi_bytes": high}
                parts.append(rows_with_calls(layer, table, name, part))
            low = (high or 0) + 1
    return parts


def access_sizes(layer: str, table: Table) -> list[Table]:
    """One part per position 1 to 4, rows with at least one call."""
    parts = []
    for position in range(1, 5):
        if f"access{position}_count" in table:
            size = table[f"access{position}_access"]
            # -1 is no size: the crafted logs have it, Darshan's own do not.
            known = {n: c[size >= 0] for n, c in table.items()}
            counter = f"access{position}_count"
            part = rows_with_calls(layer, known, counter, {"position": position})
            part["size_bytes"] = size[size >= 0][known[counter] > 0]
            parts.append(part)
    return parts


def rows_with_calls(layer: str, table: Table, counter: str, constants: dict) -> Table:
    """Rows of a counter table where the counter is above 0."""
    chosen = table[counter] > 0
    rows = int(chosen.sum())
    part = {n: table[n][chosen] for n in ("file_id", "rank")}
    part["calls"] = table[counter][chosen]
    for name, value in ({"layer": layer} | constants).items():
        part[name] = np.full(rows, value, None if isinstance(value, int) else object)
    return part


def stacked(parts: list[Table]) -> Table:
    """Parts with the same columns, one below the other."""
    return {k: np.concatenate([p[k] for p in parts]) for k in parts[0]} if parts else {}


def rank_hosts(tables: dict[str, Table]) -> Table:
    """Distinct rank, host and the module that tells it."""
    found: dict[tuple, None] = {}
    if "call" in tables:
        calls = {name: np.ma.getdata(tables["call"][name]) for name in ("rank", "host", "layer")}
        host = calls["host"]
        changes = (calls["rank"][1:] != calls["rank"][:-1]) | (host[1:] != host[:-1])
        changes |= calls["layer"][1:] != calls["layer"][:-1]
        for row in np.r_[0, np.flatnonzero(changes.astype(bool)) + 1] if len(host) else ():
            source = f"DXT_{calls['layer'][row].upper()}"
            found[int(calls["rank"][row]), host[row], source] = None
    if "apmpi" in tables:
        apmpi = tables["apmpi"]
        for rank, host in zip(apmpi["rank"].tolist(), apmpi["node_name"], strict=True):
            if rank >= 0:
                found[rank, host, "APMPI"] = None
    names = [c.name for c in columns("rank_host") if c.name != "log"]
    kinds = {"rank": "i8"}
    return {n: np.array([k[i] for k in found], kinds.get(n, object)) for i, n in enumerate(names)}
