"""Counters of Darshan 1.21 to 2.06 logs from their bytes.

PyDarshan refuses these logs, so this decoder is all diya can be compared with
here. It takes the counters that belong to one layer alone, and the job; how
diya shares out the others is its own decision (``docs/formats/darshan-legacy.md``).

Source: the CP_* lists of Darshan 2.x, as its analysis programs print them, and
its ``enum darshan_indices_v121``.
"""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np

Table = dict[str, np.ndarray]

MPIIO = (
    "indep_opens coll_opens indep_reads indep_writes coll_reads coll_writes split_reads"
    " split_writes nb_reads nb_writes syncs"
).split()
POSIX = "reads writes opens seeks stats mmaps".split()
STDIO = "reads writes opens seeks".split()
SYNCS = "fsyncs fdsyncs".split()
BINS = "0_100 100_1k 1k_10k 10k_100k 100k_1m 1m_4m 4m_10m 10m_100m 100m_1g 1g_plus".split()

#: Integers, reals and job bytes by version text.
LAYOUTS = {
    "1.21": (133, 12, 28),
    "1.22": (138, 14, 28),
    "1.23": (140, 14, 28),
    "1.24": (140, 14, 28),
}
LAYOUTS |= {text: (144, 18, size) for text, size in (("2.00", 56), ("2.01", 120), ("2.02", 120))}
LAYOUTS |= {text: (144, 18, 1080) for text in ("2.04", "2.05", "2.06")}


class UnknownLegacy(ValueError):
    """No layout of this version is published."""


def legacy_tables(path: Path) -> dict[str, Table]:
    """Counter tables and job of a gzipped log.

    Raises
    ------
    UnknownLegacy
        For 1.4, which came before the first release.
    """
    image = gzip.decompress(path.read_bytes())
    version = image[: image.index(b"\0")].decode()
    if version not in LAYOUTS:
        raise UnknownLegacy(f"version {version}: no layout is published")
    integers, reals, job_bytes = LAYOUTS[version]
    is_new = version >= "2"
    if is_new:
        order = "<" if struct.unpack_from("<q", image, 8)[0] == 6567223 else ">"
        uid, start_s, end_s, nprocs, job_id = struct.unpack_from(f"{order}5q", image, 16)
    else:  # The memory of a Blue Gene process.
        order = ">"
        uid, start_s, end_s, nprocs = struct.unpack_from(">4I", image, 12)
        job_id = None
    command = image[job_bytes:].split(b"\0")[0].split(b"\n")[0].decode("utf-8", "replace")
    names = list(map(str, range(integers)))
    for at, found in places(version).items():
        names[at : at + len(found)] = found
    head = [("file_id", f"{order}u8"), ("rank", f"{order}i8" if is_new else f"{order}i4")]
    head += [("suffix", "S16")] if is_new else [("", "V4")]
    counters = [(name, f"{order}i8") for name in names] + [("reals", f"{order}{reals}f8")]
    layout = np.dtype(head + counters + ([] if is_new else [("suffix", "S16")]))
    rows = np.frombuffer(image, layout, offset=4096 if version >= "2.04" else 1024)
    job = {
        "uid": uid,
        "nprocs": nprocs,
        "start_time": start_s * 10**9,
        "end_time": end_s * 10**9,
        "run_time_s": float(end_s - start_s + 1),
        "log_version": version,
        "is_big_endian": order == ">",
        "command_line": command or None,
    }
    job |= {} if job_id is None else {"job_id": job_id}
    tables = layer_tables(rows)
    kinds = {k: object if isinstance(v, str | None) else None for k, v in job.items()}
    return tables | {"job": {k: np.array([v], kinds[k]) for k, v in job.items()}}


def places(version: str) -> dict[int, list[str]]:
    """Where the counters that are compared stand among the integers."""
    # 1.21 has neither the three opens of PnetCDF and HDF5 nor the two sizes
    # of the slowest calls.
    opens, slowest = (0, 0) if version == "1.21" else (3, 2)
    bytes_at = 44 + opens
    agg = [f"mpiio_size_{op}_agg_{label}" for op in ("read", "write") for label in BINS]
    return {
        0: [f"mpiio_{name}" for name in MPIIO],
        11: [f"posix_{name}" for name in POSIX],
        17: [f"stdio_{name}" for name in STDIO],
        21: [f"posix_{name}" for name in SYNCS],
        41 + opens: ["mpiio_hints", "mpiio_views"],
        bytes_at: ["posix_bytes_read", "posix_bytes_written"],
        77 + opens + slowest: agg,
    }


def layer_tables(rows: np.ndarray) -> dict[str, Table]:
    """One row per layer and record that counts a call of the layer."""
    tables: dict[str, Table] = {}
    calls = {
        "posix": [*POSIX, *SYNCS],
        "stdio": STDIO,
        "mpiio": [*MPIIO, "hints", "views"],
    }
    for table, counted in calls.items():
        is_used = np.any([rows[f"{table}_{name}"] > 0 for name in counted], axis=0)
        if not is_used.any():
            continue
        prefix = f"{table}_"
        chosen = rows[is_used]
        columns = [name for name in rows.dtype.names if name.startswith(prefix)]
        tables[table] = {name.removeprefix(prefix): native(chosen[name]) for name in columns}
        tables[table] |= {name: native(chosen[name]) for name in ("file_id", "rank")}
    if "posix" in tables:
        # Bytes are those of streams when only streams moved any.
        used = rows[np.any([rows[f"posix_{n}"] > 0 for n in calls["posix"]], axis=0)]
        moved = sum(used[f"posix_{name}"] for name in ("reads", "writes", *SYNCS)) > 0
        by_stream = ((used["stdio_reads"] + used["stdio_writes"]) > 0) & ~moved
        for name in ("bytes_read", "bytes_written"):
            tables["posix"][name] = np.where(by_stream, 0, tables["posix"][name])
    return tables


def native(column: np.ndarray) -> np.ndarray:
    """A copy in this machine's byte order."""
    return column.astype(column.dtype.newbyteorder("="))
