"""What a log says of its job and its modules, and records in each form that PyDarshan has."""

from __future__ import annotations

import functools
from typing import Any

from . import _diya
from ._darshan_log import OTHERS, TABLES, TRACES, Counters, DarshanLog, Later, Segments
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


def as_dicts(arrays: Counters, names: dict[str, list[str]]) -> list[dict[str, Any]]:
    """`dtype="dict"`: counters by name."""
    keys = ("counters", "fcounters")
    return [{**r, **{key: dict(zip(names[key], r[key])) for key in keys}} for r in arrays.records()]


def combined(arrays: Counters, names: dict[str, list[str]]) -> list[dict[str, Any]]:
    """`dtype="pandas"`: one record with the counters of all.

    Each row has index 0, because PyDarshan joins frames of one row.
    """
    import pandas

    made: dict[str, Any] = {"rank": -1, "id": -1}
    for key, values in (("counters", arrays.counters), ("fcounters", arrays.fcounters)):
        frame = pandas.DataFrame(values.copy(), columns=names[key], index=[0] * len(arrays))
        frame.insert(0, "rank", arrays.ranks)
        frame.insert(0, "id", arrays.ids)
        made[key] = frame
    return [made]


def segments_as_frames(arrays: Segments) -> list[dict[str, Any]]:
    """`dtype="pandas"`: the segments of each record are frames."""
    return list(arrays.records(as_frames=True))


def stripes(log: DarshanLog, names: dict[int, str], counters: list[str], dtype: str) -> Later:
    """Files with the components of their layouts, and the storage targets of these."""
    log.read(["lustre_component", "lustre_target"])
    ids, ranks, places = (
        log.column("lustre_component", name, kind).tolist()
        for name, kind in (("file_id", "uint64"), ("rank", "int64"), ("component", "int64"))
    )

    def made() -> list[dict[str, Any]]:
        import numpy

        targets = _targets(log)
        pools = log.texts("lustre_component", "pool_name")
        values = log.records("lustre_component").counters
        records: dict[tuple[int, int], dict[str, Any]] = {}
        for key, rank, place, pool, row in zip(ids, ranks, places, pools, values):
            if key not in names:
                continue
            part: dict[str, Any] = {"counters": row, "pool_name": pool}
            part["ost_ids"] = numpy.array(targets.get((key, rank, place), []), "int64")
            if dtype == "dict":
                part.update(counters=dict(zip(counters, row)), ost_ids=part["ost_ids"].tolist())
            records.setdefault((key, rank), {"id": key, "rank": rank, "components": []})["components"].append(part)
        return list(records.values())

    return Later(len({head for head in zip(ids, ranks) if head[0] in names}), made)


def _targets(log: DarshanLog) -> dict[tuple[int, int, int], list[int]]:
    """Storage targets of each component, in the order of its stripes."""
    columns = ("file_id", "rank", "component", "stripe", "ost_id")
    arrays = [log.column("lustre_target", name, "uint64" if name == "file_id" else "int64") for name in columns]
    found: dict[tuple[int, int, int], list[int]] = {}
    rows = zip(*(array.tolist() for array in arrays))
    for key, rank, place, _, target in sorted(rows, key=lambda row: row[3]):
        found.setdefault((key, rank, place), []).append(target)
    return found


def performance_of_mpi(log: DarshanLog) -> Later:
    """The head with variances, then the counters of each rank."""
    log.read(["apmpi", "apmpi_summary"])

    def made() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for row in log.rows("apmpi_summary"):
            head = {"id": None, "rank": -1, "sync_flag": int(row["is_sync_time_measured"])}
            head["variance_total_mpitime"] = row["f_variance_total_mpitime"]
            head["variance_total_mpisynctime"] = row["f_variance_total_mpisynctime"]
            found.append(head)
        names = names_of("apmpi")
        for record, node in zip(log.records("apmpi").records(), log.texts("apmpi", "node_name")):
            counters = dict(zip(names["counters"], record["counters"].view("uint64")))
            counters.update(zip(names["fcounters"], record["fcounters"]))
            found.append({"id": record["id"], "rank": record["rank"], "node_name": node, "all_counters": counters})
        return found

    return Later(len(log.rows("apmpi_summary")) + len(log.rows("apmpi")), made)
