"""What the known defects of PyDarshan 3.5.0 look like in the comparison.

Each function says whether a difference can come from one defect: by the log it
is in and the place, and by the values where the defect determines them. Which
defect it is, and why the bytes say otherwise, stands in ``known_differences.py``.
"""

from __future__ import annotations

import numpy as np
from compare import EXTRA_ROWS, MISSING_ROWS, VALUE, Difference
from contract import COUNTER_TABLES
from log_bytes import LogBytes
from lustre_bytes import layouts, used
from record_bytes import Table, record_type

#: darshan-util swaps integers at these places and skips the same places in the floats.
UNSWAPPED_TIMES = ("f_meta_time", "f_max_read_time", "f_max_write_time")
LOST_VARIANCES = ("f_variance_rank_time", "f_variance_rank_bytes")
LOST_RANK_TIMES = ("f_fastest_rank_time", "f_slowest_rank_time", *LOST_VARIANCES)
MODULE_OF_TABLE = {table: module for module, table in COUNTER_TABLES.items()}


def version(log: LogBytes, module: str) -> int:
    """Record version of a module, 0 when the log does not have it."""
    return log.modules[module].version if module in log.modules else 0


def all_null(difference: Difference) -> bool:
    """diya shows null in every cell that differs."""
    return difference.what == VALUE and bool(difference.diya_is_null.all())


def is_outer_part(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Header, job and names stand in diya's list of parts as well."""
    return d.table == "module" and d.what == EXTRA_ROWS and d.count == len(log.parts)


def is_newer_counter(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """The record version has no such counter; PyDarshan fills in -1 or 0."""
    lacking = d.table in recorded and d.column not in recorded[d.table]
    lacking |= (d.table, d.column) == ("call", "offset_bytes") and version(log, "DXT_MPIIO") == 1
    return lacking and all_null(d) and bool(np.isin(d.reference.astype(float), (-1.0, 0.0)).all())


def is_lost_tail(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Last floats of POSIX v2 and v3 records come out as 0."""
    lost = {3: LOST_VARIANCES, 2: LOST_RANK_TIMES}.get(version(log, "POSIX"), ())
    return d.table == "posix" and d.column in lost and bool((d.reference == 0).all())


def is_unswapped(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Three floats of big-endian POSIX records before v4 keep their byte order."""
    if d.table != "posix" or d.column not in UNSWAPPED_TIMES or version(log, "POSIX") >= 4:
        return False
    return log.order == ">" and np.array_equal(d.reference.byteswap().view("u8"), d.diya.view("u8"))


def is_threaded_dxt(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """DXT with thread ids: a line on stderr, no segments, no exception."""
    is_newer = version(log, "DXT_POSIX") >= 2 or version(log, "DXT_MPIIO") >= 3
    return d.table == "call" and d.what == EXTRA_ROWS and is_newer


def is_prerelease_job(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Development logs of 3.4.0: job record without nanoseconds read as one with."""
    return log.is_prerelease_job and d.table in ("job", "mpi_hint", "mount")


def is_prerelease_module(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """The earliest of them have the module numbers of 3.2."""
    moved = ("STDIO", "LUSTRE", "HEATMAP", "APMPI", "DFS", "module")
    tables = {*(COUNTER_TABLES.get(m, m.lower()) for m in moved), "lustre_component"}
    return log.is_prerelease_job and d.table in tables | {"lustre_target", "apmpi_summary"}


def is_misfit(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """The region is no whole number of records; PyDarshan cuts it all the same."""
    module = log.modules.get(MODULE_OF_TABLE.get(d.table, ""))
    if module is None or d.what != MISSING_ROWS:
        return False
    return len(module.records) % record_type(module.name, module.version, log.order).itemsize > 0


def is_rounded_run_time(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """The difference of two times since 1970 as float64, each exact to 2e-7 s."""
    if (d.table, d.column) != ("job", "run_time_s") or d.diya_is_null.any():
        return False
    return bool((np.abs(d.reference - d.diya) < 5e-7).all())


def is_unfinished(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """No end time: PyDarshan gives 0 for it, and minus the start as run time."""
    is_end = d.table == "job" and d.column in ("end_time", "run_time_s") and all_null(d)
    return is_end and bool((d.reference <= 0).all())


def is_command_line_alone(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """PyDarshan takes the text before the first mount; without a mount, nothing."""
    is_empty = (d.table, d.column) == ("job", "command_line") and d.reference[0] == ""
    return is_empty and len(recorded["mount"]["mount"]) == 0


def is_swapped_partial(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """The partial flags of a big-endian log keep their byte order."""
    return log.order == ">" and (d.table, d.column) == ("module", "is_partial")


def is_added_unswapped(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Two counters of PnetCDF v1 and v2 are added first and swapped afterwards."""
    is_old = 1 <= version(log, "PNETCDF_FILE") <= 2
    return log.order == ">" and is_old and (d.table, d.column) == ("pnetcdf_file", "opens")


def is_stdio_in_posix(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """POSIX v1 records that count stdio calls as well are dropped."""
    return d.table == "posix" and d.what == EXTRA_ROWS and version(log, "POSIX") == 1


def is_lustre_pointer(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """OST ids behind unused components are read from memory given back before."""
    if (d.table, d.column) != ("lustre_target", "ost_id") or version(log, "LUSTRE") < 2:
        return False
    return any(used(stored) != stored for _, stored, _ in layouts(log.modules["LUSTRE"], log.order))


def is_uneven_heatmap(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Records one bin longer or shorter than the first are cut or padded, wrongly."""
    if d.table != "heatmap":
        return False
    table = recorded["heatmap"]
    lengths = {(la, r): 0 for la, r in zip(table["layer"], table["rank"], strict=True)}
    for la, r in zip(table["layer"], table["rank"], strict=True):
        lengths[la, r] += 1
    return len(set(lengths.values())) > 1


def is_large_uncompressed(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Regions above 1 MiB without compression: each buffer overwrites the one before."""
    is_large = any(len(m.records) > 1 << 20 for m in log.modules.values())
    return log.compression == "none" and is_large and d.table == "call"


def is_cut_mount(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Mount points are scanned up to the first blank."""
    has_blank = any(" " in point for point in recorded["mount"]["mount"])
    return d.table == "mount" and has_blank


def is_first_name_empty(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """3.00 logs: of two names of an id the first is kept, even when empty."""
    is_path = (d.table, d.column) == ("file", "path") and log.version == "3.00"
    return is_path and all(name is None for name in d.reference)


def is_end_of_file(log: LogBytes, recorded: dict[str, Table], d: Difference) -> bool:
    """Extents of Lustre v1 layouts: the log has none, the whole file is meant."""
    return d.table == "lustre_component" and version(log, "LUSTRE") == 1 and all_null(d)
