"""What a log says of its job and its modules, as PyDarshan shows it."""

from __future__ import annotations

import functools
from typing import Any

from . import _diya
from ._darshan_log import OTHERS, TABLES, TRACES, DarshanLog
from .errors import SettingError


@functools.lru_cache(maxsize=1)
def _layouts() -> dict[str, list[tuple[str, bool]]]:
    return dict(_diya.darshan_counters())


def names_of(table: str) -> dict[str, list[str]]:
    """Names of the counters of a table, in the order of the record."""
    layout = _layouts()[table]
    names = {"counters": [name for name, is_real in layout if not is_real]}
    return {**names, "fcounters": [name for name, is_real in layout if is_real]}


def mod_names() -> list[str]:
    """All modules of Darshan that can be in a log."""
    return [*TABLES, *TRACES, *OTHERS]


def read_metadata(log: DarshanLog) -> dict[str, Any]:
    """`job` and `exe`."""
    rows = log.rows("job").to_dicts(1)
    if not rows:
        raise SettingError(f"{log.path} says nothing of its job")
    row = rows[0]
    start_ns, end_ns = (int(log.column("job", name, "int64")[0]) for name in ("start_time", "end_time"))
    lines = (line.partition("=") for line in (row["metadata"] or "").splitlines())
    job = {
        "uid": row["uid"],
        "start_time_sec": start_ns // 10**9,
        "start_time_nsec": start_ns % 10**9,
        "end_time_sec": end_ns // 10**9,
        "end_time_nsec": end_ns % 10**9,
        "nprocs": row["nprocs"],
        "jobid": row["job_id"],
        "run_time": row["run_time_s"],
        "log_ver": row["log_version"],
        "metadata": {key: value for key, found, value in lines if found},
    }
    return {"job": job, "exe": row["command_line"] or row["exe"] or ""}


def read_modules(log: DarshanLog) -> dict[str, dict[str, Any]]:
    """The modules of the log, by number; of other formats, those with records."""
    recorded = [row for row in log.rows("module") if row["module_id"] is not None]
    if recorded:
        return {
            row["module"]: {
                "len": row["stored_bytes"],
                "ver": row["version"],
                "idx": row["module_id"],
                "partial_flag": row["is_partial"],
            }
            for row in sorted(recorded, key=lambda row: row["module_id"])
        }
    found = [mod for mod, table in TABLES.items() if len(log.rows(table))]
    found += [mod for mod, layer in TRACES.items() if len(log.segments(layer))]
    found += ["HEATMAP"] if len(log.rows("heatmap")) else []
    return {mod: {"len": 0, "ver": 0, "idx": 0, "partial_flag": False} for mod in found}
