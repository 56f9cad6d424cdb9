"""Logs as PyDarshan 3.5 shows them, for scripts that exist.

>>> from diya.darshan import DarshanReport
>>> report = DarshanReport("app.darshan")
>>> report.records["POSIX"].to_df()["counters"]

Every log that diya reads can be opened, also those of diya itself: they have the counters of
Darshan. Frames need pandas. docs/guide/python.md lists what is there and what differs.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from . import _diya
from ._darshan_records import LUSTRE, TABLES, TRACES
from ._darshan_records import DarshanRecordCollection as DarshanRecordCollection
from ._job import Job
from ._job import open as _open
from .errors import SettingError


class ModuleNotInDarshanLog(ValueError):
    """The log has no records of a module."""


class DarshanReport:
    """A log as PyDarshan's class of the same name shows it.

    filename: a log of any format that diya reads.
    read_all: read all records at once; else `mod_read_all_records` and its siblings do.
    filter_patterns, filter_mode: only names that match one of these regular expressions
        ("include"), or none of them ("exclude").
    """

    def __init__(
        self,
        filename: str | os.PathLike[str],
        dtype: str = "numpy",
        read_all: bool = True,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
    ) -> None:
        _check(dtype, filter_mode)
        self.filename = os.fspath(filename)
        self._filter = [re.compile(pattern) for pattern in filter_patterns or ()], filter_mode
        #: The log, for everything else.
        self.job: Job = _open(self.filename, system_files=True, as_recorded=True)
        self._layout = {table: columns for table, columns in _diya.darshan_counters()}
        self.records: dict[str, DarshanRecordCollection] = {}
        self.counters: dict[str, dict[str, list[str]]] = {}
        self._read_metadata()
        if read_all:
            self.read_all()

    # --- about the job ------------------------------------------------------------------

    def _read_metadata(self) -> None:
        row = self._one(
            "select uid, nprocs, job_id, run_time_s, log_version, metadata, command_line, exe, "
            "arrow_cast(start_time, 'Int64') as start_ns, arrow_cast(end_time, 'Int64') as end_ns "
            "from job"
        )
        start_ns, end_ns = row["start_ns"] or 0, row["end_ns"] or 0
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
        self.metadata = {"job": job, "exe": row["command_line"] or row["exe"]}
        self.start_time = datetime.datetime.fromtimestamp(job["start_time_sec"])
        self.end_time = datetime.datetime.fromtimestamp(job["end_time_sec"])
        mounts = self.job.sql("select mount, fs_type from mount").to_dicts()
        self.mounts = sorted(((row["mount"], row["fs_type"]) for row in mounts), key=lambda mount: -len(mount[0]))
        self.modules = self._find_modules()
        names = self.job.sql("select file_id, path from file").to_dicts()
        self.name_records = {row["file_id"]: row["path"] or "" for row in names if self._is_wanted(row["path"] or "")}

    def _find_modules(self) -> dict[str, dict[str, Any]]:
        recorded = self.job.sql("select * from module where module_id is not null").to_dicts()
        modules = {
            row["module"]: {
                "len": row["stored_bytes"],
                "ver": row["version"],
                "idx": row["module_id"],
                "partial_flag": row["is_partial"],
            }
            for row in recorded
        }
        if not modules:  # no log of Darshan: what has rows
            filled = {table.name for table in self.job.tables()}
            for number, (name, table) in enumerate(TABLES.items(), 1):
                if table in filled:
                    modules[name] = {"len": 0, "ver": 0, "idx": number, "partial_flag": False}
            for name, layer in TRACES.items():
                if self._one(f"select count(*) as calls from call where layer = '{layer}'")["calls"]:
                    modules[name] = {"len": 0, "ver": 0, "idx": 0, "partial_flag": False}
        return modules

    def _one(self, sql: str) -> dict[str, Any]:
        rows = self.job.sql(sql).to_dicts(1)
        if not rows:
            raise SettingError(f"{self.filename} says nothing of its job")
        return rows[0]

    def _is_wanted(self, name: str) -> bool:
        patterns, mode = self._filter
        is_matched = any(pattern.search(name) for pattern in patterns)
        return not patterns or is_matched == (mode == "include")

    # --- records ------------------------------------------------------------------------

    def read_all(self, dtype: str | None = None, **_: Any) -> None:
        """Reads the records of all modules."""
        _check(dtype)
        for name in self.modules:
            if name in TABLES or name in TRACES or name == LUSTRE:
                self._read(name)

    def read_all_generic_records(self, dtype: str | None = None, **_: Any) -> None:
        """Reads the records of modules with counters."""
        _check(dtype)
        for name in self.modules:
            if name in TABLES:
                self._read(name)

    def read_all_dxt_records(self, dtype: str | None = None, **_: Any) -> None:
        """Reads single calls."""
        _check(dtype)
        for name in self.modules:
            if name in TRACES:
                self._read(name)

    def mod_read_all_records(self, mod: str, dtype: str | None = None, **_: Any) -> None:
        """Reads the records of a module with counters; nothing where the log has none."""
        _check(dtype)
        if mod in self.modules:
            self._read(mod)

    def mod_read_all_dxt_records(self, mod: str, dtype: str | None = None, **_: Any) -> None:
        """Reads single calls of a layer; nothing where the log has none."""
        self.mod_read_all_records(mod, dtype)

    def mod_read_all_lustre_records(self, dtype: str | None = None, **_: Any) -> None:
        """Reads the stripes of files; nothing where the log has none."""
        self.mod_read_all_records(LUSTRE, dtype)

    def mod_records(self, mod: str, **_: Any) -> Iterator[dict[str, Any]]:
        """The records of a module, one after the other."""
        if mod not in self.modules:
            raise ModuleNotInDarshanLog(f"{self.filename} has no records of {mod}")
        self._read(mod)
        return iter(self.records[mod])

    def _read(self, mod: str) -> None:
        if mod in self.records:
            return
        if mod in TABLES:
            found = self._generic(mod, TABLES[mod])
        elif mod in TRACES:
            found = self._calls(TRACES[mod])
        elif mod == LUSTRE:
            found = self._stripes()
        else:
            raise SettingError(f"records of {mod} are not shown in this form: use `report.job`")
        self.modules[mod]["num_records"] = len(found)
        self.records[mod] = DarshanRecordCollection(mod, self, found)

    def _columns(self, table: str) -> list[tuple[str, str, str, int]]:
        return self._layout[table]

    def _generic(self, mod: str, table: str) -> list[dict[str, Any]]:
        import numpy

        layout = self._columns(table)
        arrays = {}
        for key, is_real in (("counters", False), ("fcounters", True)):
            columns = [column for column in layout if (column[2] == "f64") == is_real]
            self.counters.setdefault(mod, {})[key] = [counter for _, counter, _, _ in columns]
            cells = ", ".join(_cell(name, kind, null) for name, _, kind, null in columns)
            rows = self.job.sql(f"select {cells} from {table}").to_pandas()
            # Ids keep their bits.
            whole = "float64" if is_real else "int64"
            made = [rows[name].to_numpy().astype(whole) for name, *_ in columns]
            arrays[key] = numpy.stack(made, axis=1) if made else numpy.empty((len(rows), 0))
        heads = self.job.sql(f"select file_id, rank from {table}").to_dicts()
        return [
            {
                "id": head["file_id"],
                "rank": head["rank"],
                "counters": arrays["counters"][at],
                "fcounters": arrays["fcounters"][at],
            }
            for at, head in enumerate(heads)
            if head["file_id"] in self.name_records
        ]

    def _calls(self, layer: str) -> list[dict[str, Any]]:
        rows = self.job.sql(
            "select file_id, rank, host, op, offset_bytes, size_bytes, start_s, end_s from call "
            f"where layer = '{layer}' and op in ('read', 'write')"
        )
        records: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in rows:
            key = (row["file_id"], row["rank"], row["host"])
            if row["file_id"] not in self.name_records:
                continue
            if key not in records:
                records[key] = {
                    "id": row["file_id"],
                    "rank": row["rank"],
                    "hostname": row["host"],
                    "write_count": 0,
                    "read_count": 0,
                    "write_segments": [],
                    "read_segments": [],
                }
            record = records[key]
            record[f"{row['op']}_count"] += 1
            record[f"{row['op']}_segments"].append(
                {
                    "offset": row["offset_bytes"],
                    "length": row["size_bytes"],
                    "start_time": row["start_s"],
                    "end_time": row["end_s"],
                }
            )
        return list(records.values())

    def _stripes(self) -> list[dict[str, Any]]:
        layout = self._columns("lustre_component")
        self.counters[LUSTRE] = {"counters": [counter for _, counter, _, _ in layout]}
        targets: dict[tuple[Any, ...], list[int]] = {}
        for row in self.job.sql("select * from lustre_target order by stripe"):
            key = (row["file_id"], row["rank"], row["component"])
            targets.setdefault(key, []).append(row["ost_id"])
        records: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in self.job.table("lustre_component"):
            if row["file_id"] not in self.name_records:
                continue
            file = (row["file_id"], row["rank"])
            record = {"id": row["file_id"], "rank": row["rank"], "components": []}
            values = [null if row[name] is None else row[name] for name, _, _, null in layout]
            part = {
                "counters": values,
                "pool_name": row["pool_name"] or "",
                "ost_ids": targets.get((*file, row["component"]), []),
            }
            records.setdefault(file, record)["components"].append(part)
        return list(records.values())

    # --- the rest -----------------------------------------------------------------------

    def info(self, metadata: bool = False) -> None:
        """Prints what is in the log."""
        job = self.metadata["job"]
        print(f"Filename:       {self.filename}")
        print(f"Times:          {self.start_time} to {self.end_time} ({job['run_time']} s)")
        print(f"Executable:     {self.metadata['exe']}")
        print(f"Processes:      {job['nprocs']}")
        print(f"JobID:          {job['jobid']}")
        print(f"Modules in log: {list(self.modules)}")
        print(f"Name records:   {len(self.name_records)}")
        if metadata:
            print(f"Metadata:       {job['metadata']}")

    def __enter__(self) -> DarshanReport:
        return self

    def __exit__(self, *_: object) -> None:
        self.job.close()

    def __repr__(self) -> str:
        return f"<diya.darshan.DarshanReport {self.filename}>"


#: Types of columns in the words of the SQL engine.
_ARROW = {"i32": "Int32", "i64": "Int64", "u64": "UInt64", "f64": "Float64"}


def _cell(name: str, kind: str, null: int) -> str:
    """The recorded value, also where the column has null in its place."""
    return f"coalesce({name}, arrow_cast({null}, '{_ARROW[kind]}')) as {name}"


def _check(dtype: str | None, filter_mode: str = "exclude") -> None:
    if dtype not in (None, "numpy"):
        raise SettingError(f"dtype {dtype!r} is not there: `to_df` makes frames of pandas")
    if filter_mode not in ("exclude", "include"):
        raise SettingError(f"filter_mode {filter_mode!r}; expected: exclude, include")
