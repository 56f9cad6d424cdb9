"""A job that never ran, and the Darshan log it would have left.

Faults that need a thousand ranks or a Lustre file system cannot be planted on
the machine that runs the tests. Here a scenario says which rank makes which
request when and how long it takes; the counters, the DXT segments and the
striping records follow from that as Darshan's runtime derives them, files that
all ranks open reduced to one record included.

Source: darshan-posix.c, darshan-mpiio.c, darshan-stdio.c, darshan-dxt.c of
Darshan 3.5.0; the layouts are those of tests/peers/record_bytes.py.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from log_bytes import MAGIC, MODULE_NAMES
from record_bytes import record_type

#: Upper ends of the bins of request sizes, in bytes; the last bin has none.
BIN_ENDS = [100, 1024, 10_240, 102_400, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30]
BINS = "0_100 100_1k 1k_10k 10k_100k 100k_1m 1m_4m 4m_10m 10m_100m 100m_1g 1g_plus".split()
MODULES = {"posix": ("POSIX", 4), "mpiio": ("MPI-IO", 3), "stdio": ("STDIO", 2)}
START_S = 1_700_000_000
REQUEST = np.dtype(
    [("file", "i8"), ("rank", "i8"), ("is_write", "?"), ("is_collective", "?")]
    + [("offset", "i8"), ("size", "i8"), ("start", "f8"), ("end", "f8")]
)


def file_id(path: str) -> int:
    """An id for a name; any number will do that no other file has."""
    return int.from_bytes(hashlib.blake2b(path.encode(), digest_size=8).digest(), "little")


@dataclass
class Job:
    """What ran, and what it did; times are seconds since its start."""

    nprocs: int
    run_s: float
    exe: str = "./simulation input.nml"
    mounts: tuple[tuple[str, str], ...] = (("lustre", "/scratch"), ("ext4", "/"))
    ranks_per_node: int = 32
    hints: str = "romio_no_indep_rw=true;cb_nodes=4"
    has_trace: bool = True
    file_alignment_bytes: int = 1 << 20
    #: Threads that make the requests in turns; None: not recorded.
    threads: int | None = None
    #: Targets of the file system, which Darshan recorded before 3.5; None: not recorded.
    targets: int | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    requests: dict[str, list[np.ndarray]] = field(default_factory=dict)
    extra: dict[tuple[str, int, int], dict[str, float]] = field(default_factory=dict)
    layouts: dict[int, tuple[int, list[int]]] = field(default_factory=dict)

    def file(self, path: str) -> int:
        """Number of a file, new or known."""
        return self.numbers.setdefault(path, len(self.numbers))

    @property
    def paths(self) -> list[str]:
        """Names of the files by number."""
        return list(self.numbers)

    def requests_of(
        self, layer: str, op: str, path: str, rank, offset, size, start, took, collective=False
    ) -> np.ndarray:
        """Record requests; arguments are numbers or arrays of one shape. Gives the ends back."""
        fields = np.broadcast_arrays(rank, offset, size, start, took)
        rows = np.zeros(fields[0].size, REQUEST)
        rows["file"], rows["is_write"] = self.file(path), op == "write"
        rows["is_collective"] = collective
        for name, values in zip(("rank", "offset", "size", "start"), fields[:4], strict=True):
            rows[name] = values.ravel()
        rows["end"] = rows["start"] + fields[4].ravel()
        self.requests.setdefault(layer, []).append(rows)
        return rows["end"].reshape(fields[0].shape)

    def one_after_the_other(
        self, layer: str, op: str, path: str, ranks, offsets, size, start, took, pause=0.0, **kind
    ) -> np.ndarray:
        """Each rank makes its row of ``offsets`` (ranks x requests) in order; ends per rank."""
        offsets = np.asarray(offsets)
        took = np.broadcast_to(np.asarray(took, float), offsets.shape)
        starts = np.asarray(start, float).reshape(-1, 1) + np.cumsum(took + pause, axis=1) - took - pause
        each = np.asarray(ranks).reshape(-1, 1)
        return self.requests_of(layer, op, path, each, offsets, size, starts, took, **kind)[:, -1]

    def count(self, layer: str, path: str, ranks, **counters: float) -> None:
        """Add to counters of a file on each of these ranks (opens, stats, fsyncs, f_meta_time...)."""
        for rank in np.atleast_1d(ranks):
            known = self.extra.setdefault((layer, self.file(path), int(rank)), {})
            for name, value in counters.items():
                known[name] = known.get(name, 0) + value

    def stripes(self, path: str, size: int, targets: list[int]) -> None:
        """Striping of a file on Lustre."""
        self.layouts[self.file(path)] = (size, targets)

    def write(self, path: Path) -> Path:
        """Write the log."""
        modules = {}
        for layer, (module, version) in MODULES.items():
            records = counter_records(self, layer, record_type(module, version, "<"))
            if len(records):
                modules[module] = (version, records.tobytes())
        for layer, module, version in (("posix", "DXT_POSIX", 1), ("mpiio", "DXT_MPIIO", 2)):
            if self.has_trace and self.requests.get(layer):
                has_threads = self.threads is not None
                modules[module] = (version + has_threads, dxt_records(self, layer))
        if self.layouts:
            modules["LUSTRE"] = (2 if self.targets is None else 1, lustre_records(self))
        for module, version in (("H5F", 3), ("H5D", 2), ("PNETCDF_FILE", 3), ("PNETCDF_VAR", 1)):
            records = plain_records(self, module, record_type(module, version, "<"))
            if len(records):
                modules[module] = (version, records.tobytes())
        path.write_bytes(log_bytes(self, modules))
        return path


def counter_records(job: Job, layer: str, layout: np.dtype) -> np.ndarray:
    """Records of a layer: one per file and rank, or one per file that all ranks opened."""
    parts = job.requests.get(layer, [])
    requests = np.concatenate(parts) if parts else np.zeros(0, REQUEST)
    requests = requests[np.lexsort((requests["start"], requests["rank"], requests["file"]))]
    keys = np.unique(requests[["file", "rank"]])
    known = {(int(f), int(r)) for f, r in keys}
    known |= {(file, rank) for of, file, rank in job.extra if of == layer}
    if not known:
        return np.zeros(0, layout)
    rows = np.zeros(len(known), layout)
    first = np.searchsorted(requests[["file", "rank"]], keys) if len(keys) else []
    last = [*first[1:], len(requests)] if len(keys) else []
    spans = {(int(k[0]), int(k[1])): (a, b) for k, a, b in zip(keys, first, last, strict=True)}
    paths = job.paths
    for row, key in zip(rows, sorted(known), strict=True):
        row["file_id"], row["rank"] = file_id(paths[key[0]]), key[1]
        a, b = spans.get(key, (0, 0))
        fill(row, requests[a:b], job, layer)
        extra = dict(job.extra.get((layer, *key), {}))
        opens = {"posix": "opens", "stdio": "opens", "mpiio": "coll_opens"}[layer]
        row[opens] = extra.pop(opens, 1)
        for name, value in extra.items():
            row[name] += value
    return reduced(rows, job)


def fill(row: np.void, requests: np.ndarray, job: Job, layer: str) -> None:
    """The counters of one file and rank."""
    names = row.dtype.names
    sizes: list[np.ndarray] = []
    for op, is_write in (("read", False), ("write", True)):
        mine = requests[requests["is_write"] == is_write]
        if not len(mine):
            continue
        size, offset, end = mine["size"], mine["offset"], mine["offset"] + mine["size"]
        took = mine["end"] - mine["start"]
        sizes.append(size)
        row["bytes_read" if op == "read" else "bytes_written"] = size.sum()
        row[f"f_{op}_time"] = took.sum()
        row[f"f_{op}_start_timestamp"], row[f"f_{op}_end_timestamp"] = mine["start"].min(), mine["end"].max()
        if layer == "mpiio":
            collective = int(mine["is_collective"].sum())
            row[f"coll_{op}s"], row[f"indep_{op}s"] = collective, len(mine) - collective
        else:
            row[f"{op}s"] = len(mine)
            row["max_byte_read" if op == "read" else "max_byte_written"] = end.max() - 1
        if layer != "stdio":
            row[f"f_max_{op}_time"], row[f"max_{op}_time_size"] = took.max(), size[took.argmax()]
            bins = np.bincount(np.searchsorted(BIN_ENDS, size, side="left"), minlength=10)
            for name, calls in zip(BINS, bins, strict=True):
                row[f"size_{op}_{name}" if layer == "posix" else f"size_{op}_agg_{name}"] = calls
        if layer == "posix":
            # Darshan remembers the end of the last request of the same kind, from 0.
            before = np.concatenate(([0], end[:-1]))
            row[f"consec_{op}s"] = (offset[1:] == before[1:]).sum()
            row[f"seq_{op}s"] = (offset[1:] >= before[1:]).sum()
            row["file_not_aligned"] += (offset % job.file_alignment_bytes != 0).sum()
            strides, counts = np.unique(offset[1:] - before[1:], return_counts=True)
            for place, at in enumerate(np.argsort(-counts, kind="stable")[:4], 1):
                if strides[at] > 0 and not row[f"stride{place}_count"]:
                    row[f"stride{place}_stride"], row[f"stride{place}_count"] = strides[at], counts[at]
    if "rw_switches" in names and len(requests):
        row["rw_switches"] = (requests["is_write"][1:] != requests["is_write"][:-1]).sum()
    if layer == "posix":
        row["file_alignment"], row["mem_alignment"] = job.file_alignment_bytes, 8
    if sizes and "access1_access" in names:
        common, counts = np.unique(np.concatenate(sizes), return_counts=True)
        for place, at in enumerate(np.argsort(-counts, kind="stable")[:4], 1):
            row[f"access{place}_access"], row[f"access{place}_count"] = common[at], counts[at]


def reduced(rows: np.ndarray, job: Job) -> np.ndarray:
    """Files of all ranks become one record of rank -1, as at MPI_Finalize."""
    kept = []
    rows = rows[np.argsort(rows["file_id"], kind="stable")]
    for mine in np.split(rows, np.nonzero(np.diff(rows["file_id"]))[0] + 1):
        if len(mine) < job.nprocs or job.nprocs == 1:
            kept.append(mine)
            continue
        row = mine[:1].copy()
        times = mine["f_read_time"] + mine["f_write_time"] + mine["f_meta_time"]
        moved = mine["bytes_read"] + mine["bytes_written"]
        for column in rows.dtype.names[2:]:
            is_common = column.startswith(("access", "stride"))
            if "start_timestamp" in column:
                used = mine[column][mine[column] > 0]
                row[column] = used.min() if len(used) else 0
            elif "timestamp" in column or "max_" in column or "alignment" in column:
                row[column] = mine[column].max()
            elif not is_common:
                row[column] = mine[column].sum()
        for place in range(1, 5) if "access1_access" in rows.dtype.names else ():
            row[f"access{place}_count"] = mine[f"access{place}_count"].sum()
        row["rank"] = -1
        row["slowest_rank"], row["f_slowest_rank_time"] = mine["rank"][times.argmax()], times.max()
        row["fastest_rank"], row["f_fastest_rank_time"] = mine["rank"][times.argmin()], times.min()
        row["slowest_rank_bytes"], row["fastest_rank_bytes"] = moved[times.argmax()], moved[times.argmin()]
        row["f_variance_rank_time"], row["f_variance_rank_bytes"] = times.var(), moved.var()
        kept.append(row)
    return np.concatenate(kept)


def plain_records(job: Job, module: str, layout: np.dtype) -> np.ndarray:
    """Records of a library above MPI-IO: only the counters that the scenario gives."""
    mine = {key: counters for key, counters in job.extra.items() if key[0] == module}
    rows = np.zeros(len(mine), layout)
    for row, ((_, file, rank), counters) in zip(rows, sorted(mine.items()), strict=True):
        row["file_id"], row["rank"] = file_id(job.paths[file]), rank
        if "file_rec_id" in layout.names:
            row["file_rec_id"] = file_id(job.paths[file].split(":")[0])
        for name, value in counters.items():
            row[name] = value
    return rows


def dxt_records(job: Job, layer: str) -> bytes:
    """Per file and rank a head, the writes, then the reads."""
    requests = np.concatenate(job.requests[layer])
    requests = requests[np.lexsort((requests["start"], ~requests["is_write"], requests["rank"], requests["file"]))]
    fields = [("offset", "<i8"), ("size", "<i8"), ("start", "<f8"), ("end", "<f8")]
    segment = np.dtype(fields + [("thread", "<u8")] * (job.threads is not None))
    keys, first = np.unique(requests[["file", "rank"]], return_index=True)
    paths, out = job.paths, []
    for key, a, b in zip(keys, first, [*first[1:], len(requests)], strict=True):
        mine = requests[a:b]
        writes = int(mine["is_write"].sum())
        host = b"node%04d" % (int(key["rank"]) // job.ranks_per_node)
        out.append(struct.pack("<Qqq64sqq", file_id(paths[key["file"]]), key["rank"], 0, host, writes, b - a - writes))
        segments = np.zeros(b - a, segment)
        for name, _ in fields:
            segments[name] = mine[name]
        if job.threads is not None:
            segments["thread"] = 1 + np.arange(a, b) % job.threads
        out.append(segments.tobytes())
    return b"".join(out)


def lustre_records(job: Job) -> bytes:
    """A plain layout of one component for each file."""
    paths, out = job.paths, b""
    for file, (size, targets) in job.layouts.items():
        if job.targets is not None:
            words = (file_id(paths[file]), -1, job.targets, 1, -1, size, len(targets))
            out += struct.pack("<Q6q", *words) + struct.pack(f"<{len(targets)}q", *targets)
            continue
        out += struct.pack("<Qqqq", file_id(paths[file]), -1, 1, len(targets))
        out += struct.pack("<7q16s", size, len(targets), 0, 16, 0, -1, 0, b"")
        out += struct.pack(f"<{len(targets)}q", *targets)
    return out


def log_bytes(job: Job, modules: dict[str, tuple[int, bytes]]) -> bytes:
    """A log of format 3.41: header, job, names, modules in the order of their numbers."""
    end_s, end_ns = divmod(round(job.run_s * 1e9), 10**9)
    about = struct.pack("<7q", 1000, START_S, 0, START_S + end_s, end_ns, job.nprocs, 4711)
    about += struct.pack("1024s", f"lib_ver=3.5.0\nh={job.hints}\n".encode())
    about += (job.exe + "".join(f"\n{kind}\t{at}" for kind, at in job.mounts)).encode() + b"\0"
    names = b"".join(struct.pack("<Q", file_id(path)) + path.encode() + b"\0" for path in job.paths)
    parts, versions = {-2: about, -1: names}, [0] * 64
    for module, (version, records) in modules.items():
        slot = MODULE_NAMES.index(module)
        parts[slot], versions[slot] = records, version
    extents, body, at = [(0, 0)] * 65, b"", 1328
    for slot in sorted(parts):
        stored = zlib.compress(parts[slot], 1)
        if slot >= -1:
            extents[slot + 1] = (at, len(stored))
        body, at = body + stored, at + len(stored)
    header = struct.pack("<8sqB7xQ", b"3.41", MAGIC, 0, 0)
    header += b"".join(struct.pack("<QQ", *extent) for extent in extents)
    return header + struct.pack("<64I", *versions) + body
