"""Records in the other forms that PyDarshan has for them."""

from __future__ import annotations

from typing import Any

from ._darshan_log import Counters, DarshanLog, Later, Segments
from ._darshan_modules import names_of


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
