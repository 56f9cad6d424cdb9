"""Differences between PyDarshan 3.5.0 and the bytes of a log that are understood.

The facts, with the values found, stand in
``docs/formats/pydarshan-differences.md``. diya is compared with the bytes as
well, so a kind can never hide a mistake of diya.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pydarshan_defects as defects
from compare import Difference
from log_bytes import LogBytes
from record_bytes import Table


@dataclass(frozen=True)
class Kind:
    """One kind: its name, why diya is right, and the test of a difference."""

    name: str
    justification: str
    explains: Callable[[LogBytes, dict[str, Table], Difference], bool]


KINDS = (
    Kind(
        "header, job, names as parts",
        "diya lists every part of the log in table module, PyDarshan the modules only",
        defects.is_outer_part,
    ),
    Kind(
        "DXT with thread ids",
        "PyDarshan prints a line and gives no segments of DXT_POSIX v2 / DXT_MPIIO v3",
        defects.is_threaded_dxt,
    ),
    Kind(
        "value not in this record version",
        "PyDarshan fills in -1 or 0 for what came later; not measured is null",
        defects.is_newer_counter,
    ),
    Kind(
        "end of old POSIX records lost",
        "darshan-util moves too few bytes when it widens v2/v3 records: the last floats become 0",
        defects.is_lost_tail,
    ),
    Kind(
        "old big-endian POSIX times not swapped",
        "darshan-util skips float 10 to 12 because integer 10 to 12 are filled in",
        defects.is_unswapped,
    ),
    Kind(
        "development log of 3.4.0: job",
        "log version 3.41 with the job record of 3.2: PyDarshan reads 'lib_ver=' as nprocs",
        defects.is_prerelease_job,
    ),
    Kind(
        "development log of 3.4.0: modules",
        "module numbers of 3.2 in a 3.41 log: PyDarshan reads STDIO as LUSTRE",
        defects.is_prerelease_module,
    ),
    Kind(
        "records of an unreleased size",
        "the region is no whole number of records; PyDarshan cuts it anyway, diya reports a misfit",
        defects.is_misfit,
    ),
    Kind(
        "run time rounded",
        "PyDarshan subtracts float64 times since 1970 (2e-7 s each), diya nanoseconds",
        defects.is_rounded_run_time,
    ),
    Kind(
        "job killed",
        "no end time in the log: PyDarshan shows 0 and a negative run time, diya null",
        defects.is_unfinished,
    ),
    Kind(
        "command line without mounts",
        "PyDarshan takes the text before the first mount and finds none",
        defects.is_command_line_alone,
    ),
    Kind(
        "partial flags of the other byte order",
        "darshan-util does not swap them",
        defects.is_swapped_partial,
    ),
    Kind(
        "PnetCDF opens of the other byte order",
        "darshan-util adds the two counters of v1/v2 before it swaps them",
        defects.is_added_unswapped,
    ),
    Kind(
        "POSIX v1 records with stdio calls",
        "darshan-util drops the whole record; its POSIX counters are as good as any",
        defects.is_stdio_in_posix,
    ),
    Kind(
        "OST ids behind unused Lustre components",
        "darshan-util reads them through a pointer into memory it has given back",
        defects.is_lustre_pointer,
    ),
    Kind(
        "heat maps of unequal length",
        "darshan-util cuts a bin with its bytes off, or pads and shifts the read bins by one",
        defects.is_uneven_heatmap,
    ),
    Kind(
        "uncompressed regions above 1 MiB",
        "darshan-util writes every buffer over the one before",
        defects.is_large_uncompressed,
    ),
    Kind(
        "mount point with a blank",
        "darshan-util reads it up to the blank",
        defects.is_cut_mount,
    ),
    Kind(
        "first name empty",
        "darshan-util keeps the empty first name of an id in 3.00 logs, diya the first that is not",
        defects.is_first_name_empty,
    ),
    Kind(
        "layout fields of Lustre v1",
        "the log holds none; PyDarshan fills in -1",
        defects.is_end_of_file,
    ),
)


def kind_of(log: LogBytes, recorded: dict[str, Table], difference: Difference) -> Kind | None:
    """The first kind that explains a difference of diya from PyDarshan."""
    return next((k for k in KINDS if k.explains(log, recorded, difference)), None)
