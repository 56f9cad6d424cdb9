"""Compares the numbers of PyDarshan's job summary with diya's metric tables.

    job_summary.py --diya DIYA LOG...

For each module the summary shows: bytes, performance estimate, average time
per process, operation counts, file counts with average and largest size,
request sizes, most frequent sizes, and the slowest and fastest rank of shared
files. A number that differs is printed; the exit code says whether any did.
"""

from __future__ import annotations

import argparse
import csv
import io
import subprocess
import sys
import warnings
from pathlib import Path

import darshan
from darshan.backend.cffi_backend import accumulate_records

#: Module, its layer, and its prefix in counters.
MODULES = [("POSIX", "posix", "POSIX"), ("MPI-IO", "mpiio", "MPIIO"), ("STDIO", "stdio", "STDIO")]
#: Kinds of table call_count: counter behind each, by layer.
KINDS = {
    "posix": {
        "open": "OPENS",
        "read": "READS",
        "write": "WRITES",
        "seek": "SEEKS",
        "stat": "STATS",
        "mmap": "MMAPS",
        "sync": "FSYNCS",
        "datasync": "FDSYNCS",
    },
    "mpiio": {
        "independent_open": "INDEP_OPENS",
        "collective_open": "COLL_OPENS",
        "independent_read": "INDEP_READS",
        "independent_write": "INDEP_WRITES",
        "collective_read": "COLL_READS",
        "collective_write": "COLL_WRITES",
        "split_read": "SPLIT_READS",
        "split_write": "SPLIT_WRITES",
        "nonblocking_read": "NB_READS",
        "nonblocking_write": "NB_WRITES",
        "sync": "SYNCS",
    },
    "stdio": {
        "open": "OPENS",
        "read": "READS",
        "write": "WRITES",
        "seek": "SEEKS",
        "flush": "FLUSHES",
    },
}
#: Kinds of table file_count, in the order of Darshan's categories.
CATEGORIES = ["opened", "read_only", "write_only", "read_write", "unique", "all", "some"]
#: Smallest size of each bin, and its name in the counters.
BINS = {
    0: "0_100",
    101: "100_1K",
    1025: "1K_10K",
    10241: "10K_100K",
    102401: "100K_1M",
    1048577: "1M_4M",
    4194305: "4M_10M",
    10485761: "10M_100M",
    104857601: "100M_1G",
    1073741825: "1G_PLUS",
}

Rows = list[dict[str, str]]


def ask(diya: Path, log: Path, table: str) -> Rows:
    """Rows of a metric table, cells as text."""
    command = [diya, "sql", log, f"select * from {table}", "--format", "csv"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


class Comparison:
    """Pairs of numbers, and those that differ."""

    def __init__(self, log: Path) -> None:
        self.log, self.pairs, self.differences = log, 0, 0

    def equal(self, what: str, theirs: float, ours: str | None) -> None:
        """``theirs`` is PyDarshan's number, ``ours`` a cell; empty is null."""
        self.pairs += 1
        # Darshan has -1 and 0 where nothing was measured; diya has null.
        if ours in (None, ""):
            same = theirs in (0, -1)
        else:
            same = abs(float(ours) - theirs) <= 1e-6 * max(1.0, abs(theirs))
        if not same:
            self.differences += 1
            print(f"{self.log.name}: {what}: PyDarshan {theirs}, diya {ours}")


def compare(diya: Path, log: Path) -> Comparison:
    """All numbers of one log."""
    comparison = Comparison(log)
    report = darshan.DarshanReport(str(log), read_all=False)
    for module, _, _ in MODULES:
        if module in report.modules:
            report.mod_read_all_records(module)
    names = "layer_load job_summary call_count file_count file_layer size_distribution common_size"
    tables = {name: ask(diya, log, name) for name in [*names.split(), "file_variance"]}
    nprocs = report.metadata["job"]["nprocs"]
    for module, layer, prefix in MODULES:
        if module not in report.records:
            continue
        records = report.records[module].to_df()
        if records["counters"].empty:
            continue
        compare_module(comparison, tables, layer, prefix, records, nprocs, module)
    return comparison


def moved_bytes(row: dict[str, str]) -> int:
    """Bytes of a row of ``file_layer``."""
    return int(row["bytes_read"] or 0) + int(row["bytes_written"] or 0)


def is_of_kind(row: dict[str, str], kind: str) -> bool:
    """Whether a file without moved bytes is of a kind of ``file_count``."""
    return kind in ("opened", row["sharing"])


def compare_module(comparison, tables, layer, prefix, records, nprocs, module) -> None:
    """All numbers of one module."""
    counters, times = records["counters"], records["fcounters"]

    def rows(name: str) -> Rows:
        return [row for row in tables[name] if row["layer"] == layer]

    derived = accumulate_records(records, module, nprocs).derived_metrics
    load, summary = rows("layer_load")[0], rows("job_summary")[0]
    moved = float(load["bytes_read"] or 0) + float(load["bytes_written"] or 0)
    comparison.equal(f"{layer} bytes", derived.total_bytes, str(moved))
    speed = float(load["bandwidth_bytes_per_s"] or 0) / (1 << 20)
    comparison.equal(f"{layer} MiB/s by slowest", derived.agg_perf_by_slowest, str(speed))
    for kind, column in [("READ", "read"), ("WRITE", "write"), ("META", "metadata")]:
        # PyDarshan adds times below zero, a fault of their recorder, which diya leaves out.
        mean_s = times[f"{prefix}_F_{kind}_TIME"].clip(lower=0).sum() / nprocs
        comparison.equal(f"{layer} {column} s", mean_s, summary[f"process_{column}_s"])
    ours = {row["kind"]: row["calls"] for row in rows("call_count")}
    for kind, counter in KINDS[layer].items():
        known = counters.get(f"{prefix}_{counter}")
        if known is not None:
            comparison.equal(f"{layer} {kind}", known[known >= 0].sum(), ours.get(kind))
    files = {row["kind"]: row for row in rows("file_count")}
    for category, kind in enumerate(CATEGORIES):
        theirs, row = derived.category_counters[category], files.get(kind, {})
        comparison.equal(f"{layer} {kind} files", theirs.count, row.get("files"))
        if theirs.count and layer != "mpiio":
            # Darshan's library counts sizes from 0, one byte short, in STDIO, and in
            # POSIX where no record is one of all ranks; darshan-job-summary and diya
            # count them alike everywhere.
            missing = 1 if layer == "stdio" or not (counters["rank"] == -1).any() else 0
            # PyDarshan takes a file of which no byte was moved for one of a single byte, as its
            # highest offset is 0. diya knows no size of such a file.
            unmoved = sum(is_of_kind(row, kind) and not moved_bytes(row) for row in rows("file_layer"))
            known = theirs.count - unmoved
            if known > 0:
                total = theirs.total_max_offset_bytes + missing * theirs.count - unmoved
                comparison.equal(f"{layer} {kind} mean size", total / known, row["mean_bytes"])
                largest = theirs.max_offset_bytes + missing
                comparison.equal(f"{layer} {kind} largest", largest, row["max_bytes"])
    bins = {(row["op"], int(row["size_lo_bytes"])): row["calls"] for row in rows("size_distribution")}
    for op in ("read", "write"):
        for low, label in BINS.items():
            agg = "AGG_" if layer == "mpiio" else ""
            known = counters.get(f"{prefix}_SIZE_{op.upper()}_{agg}{label}")
            if known is not None:
                comparison.equal(f"{layer} {op} {label}", known.sum(), bins.get((op, low)))
    compare_sizes(comparison, rows("common_size"), layer, prefix, counters)
    compare_shared(comparison, rows("file_variance"), layer, prefix, counters, times)


def compare_sizes(comparison, rows, layer, prefix, counters) -> None:
    """The four most frequent sizes: their counts, largest first."""
    sums: dict[int, int] = {}
    for position in range(1, 5):
        if f"{prefix}_ACCESS{position}_ACCESS" not in counters:
            return
        sizes = counters[f"{prefix}_ACCESS{position}_ACCESS"]
        for size, count in zip(sizes, counters[f"{prefix}_ACCESS{position}_COUNT"]):
            if count > 0:
                sums[size] = sums.get(size, 0) + count
    ours = {int(row["size_bytes"]): row["calls"] for row in rows}
    # Sizes of equal counts may come in any order: ask for ten of ours, and for
    # none that is as rare as the rarest of these.
    rarest = min((int(calls) for calls in ours.values()), default=0) if len(ours) >= 10 else 0
    for size in sorted(sums, key=sums.get, reverse=True)[:4]:
        if sums[size] <= rarest and size not in ours:
            continue
        comparison.equal(f"{layer} requests of {size} bytes", sums[size], ours.get(size))


def compare_shared(comparison, rows, layer, prefix, counters, times) -> None:
    """Fastest and slowest rank of files of all ranks."""
    ours = {row["file_id"]: row for row in rows}
    for at in counters.index[counters["rank"] == -1]:
        row = ours.get(str(counters["id"][at]))
        if row is None:
            comparison.equal(f"{layer} shared file {counters['id'][at]}", 1, "0")
            continue
        for speed in ("FASTEST", "SLOWEST"):
            name = f"{prefix}_{speed}_RANK"
            low = speed.lower()
            comparison.equal(f"{layer} {low} rank", counters[name][at], row[f"{low}_rank"])
            comparison.equal(f"{layer} {low} bytes", counters[f"{name}_BYTES"][at], row[f"{low}_bytes"])
            time_s = times[f"{prefix}_F_{speed}_RANK_TIME"][at]
            comparison.equal(f"{layer} {low} s", time_s, row[f"{low}_s"])
        spread_s = max(times[f"{prefix}_F_VARIANCE_RANK_TIME"][at], 0) ** 0.5
        comparison.equal(f"{layer} spread s", spread_s, row["spread_s"])


def main() -> int:
    """The exit code: 0 when all numbers of all logs are equal."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("logs", type=Path, nargs="+")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    comparisons = []
    for log in arguments.logs:
        try:
            comparisons.append(compare(arguments.diya, log))
        except (RuntimeError, KeyError, subprocess.CalledProcessError) as error:
            print(f"{log.name}: not compared: {error!r}")
    pairs = sum(c.pairs for c in comparisons)
    differences = sum(c.differences for c in comparisons)
    print(f"{len(comparisons)} logs, {pairs} numbers, {differences} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
