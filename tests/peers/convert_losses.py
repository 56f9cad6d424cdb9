"""What a converted log cannot say as the old one did: ``docs/formats/darshan-writing.md``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from compare import MISSING_ROWS, ORDER, VALUE, Difference
from contract import null_rule
from diya_tables import Cells
from log_bytes import HEATMAP_LAYERS

#: Tables that describe how a log is stored, or what reading it met, and those
#: that Darshan has no module for.
NOT_COMPARED = {
    "module",
    "read_issue",
    "process",
    "leader_time",
    "message",
    "message_count",
    "communicator",
    "stack_frame",
    "binary",
    "attribute",
    "op_count",
}
#: Of a trace of diya also these: Darshan tells hosts by DXT records and has no hints of files.
NOT_COMPARED_OF_TRACES = {"rank_host", "mpi_hint"}

#: Columns of ``job`` that do the same.
STORED = {"log_name", "format", "log_version", "is_big_endian", "compression"}


@dataclass(frozen=True)
class Loss:
    """One kind: its name, its reason, and the test of a difference."""

    name: str
    reason: str
    explains: Callable[[Difference], bool]


def format_of(shown: dict[str, dict[str, Cells]]) -> str:
    """Format of the old log: darshan, darshan-legacy or diya."""
    return shown["job"]["format"].values[0]


def is_trace(shown: dict[str, dict[str, Cells]]) -> bool:
    """Whether diya itself recorded the log."""
    return format_of(shown) == "diya"


def compared(tables: dict[str, dict], of_trace: dict[str, dict[str, Cells]]) -> dict[str, dict]:
    """The tables that a Darshan log has a place for."""
    left_out = NOT_COMPARED | (NOT_COMPARED_OF_TRACES if is_trace(of_trace) else set())
    return {name: table for name, table in tables.items() if name not in left_out}


def segments(calls: dict[str, Cells]) -> dict[str, Cells]:
    """The calls that become segments: reads and writes of two layers that did not fail."""
    is_segment = np.isin(calls["layer"].values, ["posix", "mpiio"])
    is_segment &= np.isin(calls["op"].values, ["read", "write"])
    is_segment &= ~calls["size_bytes"].is_null
    if "error" in calls:
        is_segment &= calls["error"].is_null
    return {name: Cells(cells.values[is_segment], cells.is_null[is_segment]) for name, cells in calls.items()}


def loss_of(difference: Difference, log_format: str = "darshan") -> str | None:
    """Name of the first kind that explains a difference in a log of this format."""
    kinds = LOSSES if log_format == "darshan" else (*LOSSES, MOUNT)
    return next((loss.name for loss in kinds if loss.explains(difference)), None)


def _is_stored(difference: Difference) -> bool:
    return difference.table == "job" and difference.column in STORED


def _is_rounded_up(difference: Difference) -> bool:
    """Logs before 3.41 hold whole seconds, and Darshan counts the last one begun."""
    if (difference.table, difference.column) != ("job", "run_time_s"):
        return False
    return bool((difference.diya - difference.reference == 1.0).all())


def _is_unmarked(difference: Difference) -> bool:
    """A time without a mark for "not recorded" becomes 0."""
    if difference.what != VALUE or difference.reference.dtype.kind != "f":
        return False
    has_mark = null_rule(difference.table, difference.column) is not None
    is_zero = difference.diya_is_null & (difference.reference == 0)
    return bool(not has_mark and is_zero.all())


def _is_split_open(difference: Difference) -> bool:
    return difference.table == "pnetcdf_file" and difference.column in {"indep_opens", "coll_opens"}


def _is_not_compared(difference: Difference) -> bool:
    """Old records of all ranks that compare no ranks."""
    rule = null_rule(difference.table, difference.column)
    return rule == "zero_unshared" and bool(difference.diya_is_null.all() and np.all(difference.reference == 0))


def _is_unknown_id(difference: Difference) -> bool:
    is_id = (difference.table, difference.column) in {("job", "job_id"), ("job", "uid")}
    return is_id and bool(difference.diya_is_null.all() and np.all(difference.reference == -1))


def _is_cut_command(difference: Difference) -> bool:
    if (difference.table, difference.column) != ("job", "command_line"):
        return False
    kept = str(difference.reference[0]).removesuffix("<TRUNCATED>")
    return len(kept) > 3000 and str(difference.diya[0]).startswith(kept)


def _is_ended_line(difference: Difference) -> bool:
    is_metadata = (difference.table, difference.column) == ("job", "metadata")
    return is_metadata and bool((difference.reference == difference.diya + "\n").all())


def _is_library_line(difference: Difference) -> bool:
    if (difference.table, difference.column) != ("job", "metadata"):
        return False
    recorded = "" if difference.diya_is_null[0] else difference.diya[0]
    first, _, rest = difference.reference[0].partition("\n")
    return first.startswith("lib_ver=") and rest.rstrip("\n") == recorded.rstrip("\n")


def _is_no_offset(difference: Difference) -> bool:
    is_offset = (difference.table, difference.column) == ("call", "offset_bytes")
    is_unknown = difference.diya_is_null & (difference.reference == -1)
    return is_offset and bool(is_unknown.all())


def is_sorted(difference: Difference) -> bool:
    """Whether calls stand in another order: those of a trace are sorted into records."""
    return (difference.table, difference.what) == ("call", ORDER)


def _is_mount(difference: Difference) -> bool:
    return difference.table == "file" and difference.column in {"mount", "fs_type"}


def _is_ended_line(difference: Difference) -> bool:
    is_metadata = (difference.table, difference.column) == ("job", "metadata")
    return is_metadata and bool((difference.reference == difference.diya + "\n").all())


def _is_library_line(difference: Difference) -> bool:
    if (difference.table, difference.column) != ("job", "metadata"):
        return False
    recorded = "" if difference.diya_is_null[0] else difference.diya[0]
    first, _, rest = difference.reference[0].partition("\n")
    return first.startswith("lib_ver=") and rest.rstrip("\n") == recorded.rstrip("\n")


def _is_no_offset(difference: Difference) -> bool:
    is_offset = (difference.table, difference.column) == ("call", "offset_bytes")
    is_unknown = difference.diya_is_null & (difference.reference == -1)
    return is_offset and bool(is_unknown.all())


def _is_mount_of_pipe(difference: Difference) -> bool:
    is_mount = difference.table == "file" and difference.column in {"mount", "fs_type"}
    return is_mount and bool(difference.diya_is_null.all())


def _is_mount_by_device(difference: Difference) -> bool:
    """1.x and 2.x logs name the device of a file, and keep only the end of its path."""
    is_mount = difference.table == "file" and difference.column in {"mount", "fs_type"}
    return is_mount and not difference.diya_is_null.any()


def _is_heatmap_name(difference: Difference) -> bool:
    is_extra = (difference.table, difference.what) == ("file", MISSING_ROWS)
    return is_extra and difference.count <= len(HEATMAP_LAYERS) and (difference.key[0] in HEATMAP_LAYERS)


def is_thread(difference: Difference) -> bool:
    """Whether a thread id is missing; ``--keep-threads`` keeps it."""
    return (difference.table, difference.column) == ("call", "thread")


LOSSES = (
    Loss(
        "how the log is stored",
        "the new log is of version 3.41, little-endian and compressed as asked",
        _is_stored,
    ),
    Loss(
        "run time",
        "logs before 3.41 hold whole seconds; their run time counts the last one begun",
        _is_rounded_up,
    ),
    Loss(
        "time not recorded becomes 0",
        "a sum of times that an older record did not have is 0: Darshan has no mark for it",
        _is_unmarked,
    ),
    Loss(
        "ranks not compared",
        "records of 1.x and 2.x logs that do not name the fastest and slowest rank get 0",
        _is_not_compared,
    ),
    Loss(
        "job or user id not recorded",
        "becomes -1: Darshan has no mark for it",
        _is_unknown_id,
    ),
    Loss(
        "command line of more than 3015 bytes",
        "the job record has grown by 16 bytes since 3.4, the text after it has shrunk by as many",
        _is_cut_command,
    ),
    Loss(
        "last line of the metadata is ended",
        "PyDarshan drops what follows the last line end",
        _is_ended_line,
    ),
    Loss(
        "version of the recording library in the metadata",
        "where Darshan's readers look for it; traces of diya have it in table job",
        _is_library_line,
    ),
    Loss(
        "offset not known",
        "becomes -1: pipes and terminals have none",
        _is_no_offset,
    ),
    Loss(
        "name of a heat map added",
        "the old log did not name it; PyDarshan does not show one without a name",
        _is_heatmap_name,
    ),
    Loss(
        "thread ids",
        "segments that hold them cannot be read by PyDarshan up to 3.5.0; --keep-threads",
        is_thread,
    ),
    Loss(
        "PnetCDF opens by kind",
        "records since version 3 hold their sum only",
        _is_split_open,
    ),
)

#: Not of Darshan 3 logs, which tell mounts by paths as well.
MOUNT = Loss(
    "mount told by the path",
    "1.x and 2.x logs and traces of diya tell the mount of a file by its device",
    _is_mount,
)
