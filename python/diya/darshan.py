"""Logs as PyDarshan 3.5 shows them, for scripts that exist.

>>> from diya.darshan import DarshanReport
>>> report = DarshanReport("app.darshan")
>>> report.records["POSIX"].to_df()["counters"]

Every log that diya reads can be opened, also those of diya itself: they have the counters of
Darshan. NumPy is needed, and pandas for frames. `install()` gives the plots and the job summary
of PyDarshan reports that diya reads, as does `python -m diya.darshan summary LOG`.
docs/guide/python.md lists what differs.
"""

from __future__ import annotations

import copy
import datetime
import json
import os
from collections.abc import Sequence
from typing import Any

from ._darshan_heatmap import Heatmap as Heatmap
from ._darshan_heatmap import heatmaps as _heatmaps
from ._darshan_install import enable_experimental as enable_experimental
from ._darshan_install import install as install
from ._darshan_log import ALL, HEAD, DarshanLog
from ._darshan_modules import read_metadata, read_modules
from ._darshan_reading import FilterModeError as FilterModeError
from ._darshan_reading import ModuleNotInDarshanLog as ModuleNotInDarshanLog
from ._darshan_reading import Reading, checked
from ._darshan_records import DarshanRecordCollection as DarshanRecordCollection
from ._darshan_records import DarshanReportJSONEncoder as DarshanReportJSONEncoder
from ._job import Job
from ._job import open as _open
from .errors import SettingError


class DarshanReport(Reading):
    """A log as PyDarshan's class of the same name shows it.

    filename: a log of any format that diya reads; None: a report without records.
    dtype: "numpy", "dict" or "pandas", the form of the records.
    start_time, end_time: of a report without a log.
    automatic_summary: as in PyDarshan, it is kept and changes nothing.
    read_all: read all records at once; else `mod_read_all_records` and its siblings do.
    filter_patterns, filter_mode: only names that match one of these regular expressions
        ("include"), or none of them ("exclude").
    """

    def __init__(
        self,
        filename: str | os.PathLike[str] | None = None,
        dtype: str = "numpy",
        start_time: Any = None,
        end_time: Any = None,
        automatic_summary: bool = False,
        read_all: bool = True,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
    ) -> None:
        self.filename: str | None = None
        #: What was read of the log so far; None: it is closed.
        self.log: DarshanLog | None = None
        self.dtype = checked(dtype)
        self.automatic_summary = automatic_summary
        self.name_records_read = self.converted_records = False
        self.start_time = start_time if start_time else float("inf")
        self.end_time = end_time if end_time else float("-inf")
        self.timebase = self.start_time
        self.summary_revision = self.data_revision = 0
        self.provenance_enabled = True
        self.provenance_graph: list[Any] = []
        self.provenance_reports: dict[Any, Any] = {}
        self.records: dict[str, Any] = {}
        self.summary: dict[str, Any] = {}
        self.mounts: list[tuple[str, str]] = []
        self.name_records: dict[int, str] = {}
        self._metadata: dict[str, Any] = {}
        self._modules: dict[str, dict[str, Any]] = {}
        self._counters: dict[Any, dict[str, list[str]]] = {}
        self._heatmaps: dict[str, Heatmap] = {}
        #: Heat maps that nobody has looked at.
        self._bins: list[tuple[str, int, float, bytearray, bytearray]] | None = None
        self._job: Job | None = None
        #: All of it in one dictionary.
        self.data: dict[str, Any] = {
            "version": 1,
            "metadata": self._metadata,
            "records": self.records,
            "summary": self.summary,
            "modules": self._modules,
            "counters": self._counters,
            "name_records": self.name_records,
        }
        if filename:
            self.open(filename, read_all, filter_patterns, filter_mode)

    def open(
        self,
        filename: str | os.PathLike[str] | None,
        read_all: bool = False,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
    ) -> None:
        """Opens a log. Raises an error that is both diya.OpenError and RuntimeError."""
        self.filename = None if filename is None else os.fspath(filename)
        if not self.filename:
            return
        self.log = DarshanLog(self.filename)
        # All at once: the file is read one time.
        self.log.read(ALL if read_all else HEAD)
        self.read_metadata()
        if read_all:
            self.read_all(filter_patterns=filter_patterns, filter_mode=filter_mode)

    # --- about the job ------------------------------------------------------------------

    @property
    def metadata(self) -> dict[str, Any]:
        """`job`, a dictionary, and `exe`, the command line."""
        return self._metadata

    @property
    def modules(self) -> dict[str, dict[str, Any]]:
        """The modules of the log by name."""
        return self._modules

    @property
    def counters(self) -> dict[Any, dict[str, list[str]]]:
        """Names of the counters by module."""
        return self._counters

    @property
    def heatmaps(self) -> dict[str, Heatmap]:
        """Heat maps by layer."""
        if self._bins is not None:
            self._heatmaps, self._bins = _heatmaps(self._bins), None
        return self._heatmaps

    @property
    def job(self) -> Job:
        """The log as `diya.open` opens it, for everything else: SQL, metrics, the diagnosis."""
        if self._job is None:
            if self.filename is None:
                raise SettingError("a report without a log has no job")
            self._job = _open(self.filename, system_files=True, as_recorded=True)
        return self._job

    def read_metadata(self) -> None:
        """Reads what the log says of its job, its mounts and its modules."""
        log = self._opened()
        self._metadata.update(read_metadata(log))
        job = self._metadata["job"]
        self.start_time = datetime.datetime.fromtimestamp(job["start_time_sec"])
        self.end_time = datetime.datetime.fromtimestamp(job["end_time_sec"])
        mounts = [(row["mount"], row["fs_type"]) for row in log.rows("mount").to_dicts()]
        self.data["mounts"] = self.mounts = sorted(mounts, key=lambda mount: -len(mount[0]))
        self.data["modules"] = self._modules = read_modules(log)

    # --- the rest -----------------------------------------------------------------------

    def info(self, metadata: bool = False) -> None:
        """Prints what is in the log."""
        job = self._metadata.get("job", {})
        rows = [("Filename", self.filename), ("Executable", self._metadata.get("exe"))]
        rows.append(("Times", f"{self.start_time} to {self.end_time}"))
        if job:
            run_s = job["run_time"]
            rows.append(("Run time", "not recorded" if run_s is None else f"{run_s:.4f} (s)"))
            rows += [("Processes", job["nprocs"]), ("JobID", job["jobid"]), ("UID", job["uid"])]
            rows.append(("Modules in Log", f"{[*self._modules]}"))
        rows.append(("Loaded Records", f"{ {mod: len(found) for mod, found in self.records.items()} }"))
        rows.append(("Name Records", f"{len(self.name_records)}"))
        rows.append(("Darshan/Hints", job.get("metadata", {})))
        rows.append(("DarshanReport", f"id({id(self)}) (tmp)"))
        for name, value in rows:
            print(f"{name + ':':<16}{value}")
        if metadata:
            for key, value in job.items():
                print(f"metadata['job']['{key}'] = {value}")
            print(f"metadata['exe'] = {self._metadata.get('exe')}")

    def to_dict(self) -> dict[str, Any]:
        """All of `data`, records as lists where they can be that."""
        data = copy.deepcopy({key: value for key, value in self.data.items() if key != "records"})
        data["records"] = {}
        for mod, found in self.records.items():
            try:
                data["records"][mod] = found.to_list()
            except (AttributeError, KeyError, NotImplementedError):
                data["records"][mod] = "Not implemented."
        return data

    def to_json(self) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), cls=DarshanReportJSONEncoder)

    def __add__(self, other: DarshanReport) -> Any:
        merge = getattr(self, "merge", None)
        if merge is None:
            raise SettingError("merge is a function of PyDarshan: call diya.darshan.enable_experimental() first")
        return merge(other)

    def __getstate__(self) -> dict[str, Any]:
        # What was read goes along; a log that is needed again is opened again.
        return {**self.__dict__, "log": None, "_job": None}

    def _cleanup(self) -> None:
        self.log = None

    def __del__(self) -> None:
        self._cleanup()

    def __enter__(self) -> DarshanReport:
        return self

    def __exit__(self, *_: object) -> None:
        self._cleanup()

    def __repr__(self) -> str:
        return f"<diya.darshan.DarshanReport {self.filename}>"


if __name__ == "__main__":
    from ._darshan_install import main

    main()
