"""How a report reads the records of a log."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._darshan_log import ALL, OTHERS, TABLES, TRACES, DarshanLog
from ._darshan_modules import as_dicts, combined, mod_names, names_of, performance_of_mpi, segments_as_frames, stripes
from ._darshan_records import DarshanRecordCollection
from .errors import SettingError

if TYPE_CHECKING:
    from .darshan import DarshanReport

logger = logging.getLogger("diya.darshan")


class ModuleNotInDarshanLog(ValueError):
    """The log has no records of a module."""


class FilterModeError(SettingError, RuntimeError):
    """`filter_mode` is neither "exclude" nor "include"."""


def checked(dtype: str) -> str:
    """A form of records that there is."""
    if dtype not in ("numpy", "dict", "pandas"):
        raise SettingError(f"there is no dtype {dtype!r}; expected: numpy, dict, pandas")
    return dtype


class Reading:
    """The part of a report that reads records. `filter_patterns` and `filter_mode` choose names.

    As in PyDarshan, the names are read once; `refresh_names` reads them again.
    """

    filename: str | None
    #: What was read of the log so far; None: it is closed.
    log: DarshanLog | None
    dtype: str
    name_records_read: bool
    name_records: dict[int, str]
    records: dict[str, Any]
    data: dict[str, Any]
    _modules: dict[str, dict[str, Any]]
    _counters: dict[Any, dict[str, list[str]]]
    #: Heat maps that nobody has looked at.
    _bins: list[tuple[str, int, float, bytearray, bytearray]] | None

    def _opened(self) -> DarshanLog:
        # A report that was closed, copied or unpickled reads its log again.
        if getattr(self, "log", None) is None:
            if self.filename is None:
                raise SettingError("this report has no log")
            self.log = DarshanLog(self.filename)
        assert self.log is not None
        return self.log

    def read_name_records(self, filter_patterns: Sequence[str] | None = None, filter_mode: str = "exclude") -> None:
        """Reads the names, all or those that the patterns leave."""
        if filter_patterns and filter_mode not in ("exclude", "include"):
            raise FilterModeError("Invalid filter mode used for read_name_records(): expected exclude or include")
        names = self._opened().names()
        if filter_patterns:
            patterns = [re.compile(pattern) for pattern in filter_patterns]
            is_kept = filter_mode == "include"
            names = {key: name for key, name in names.items() if any(p.search(name) for p in patterns) == is_kept}
        self.data["name_records"] = self.name_records = names
        self.name_records_read = True

    def read_all(
        self, dtype: str | None = None, filter_patterns: Sequence[str] | None = None, filter_mode: str = "exclude"
    ) -> None:
        """Reads the records of all modules."""
        self._opened().read(ALL)
        self.read_all_generic_records(dtype=dtype, filter_patterns=filter_patterns, filter_mode=filter_mode)
        self.read_all_dxt_records(dtype=dtype, filter_patterns=filter_patterns, filter_mode=filter_mode)
        self.mod_read_all_lustre_records(dtype, False, filter_patterns, filter_mode)
        self.mod_read_all_apmpi_records(dtype=dtype, warnings=False)
        if "HEATMAP" in self._modules:
            self.read_all_heatmap_records()

    def read_all_generic_records(
        self,
        counters: bool = True,
        fcounters: bool = True,
        dtype: str | None = None,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
    ) -> None:
        """Reads the records of modules with counters."""
        for mod in self._modules:
            if mod in TABLES:
                self.mod_read_all_records(mod, dtype, False, filter_patterns, filter_mode)

    def read_all_dxt_records(
        self,
        reads: bool = True,
        writes: bool = True,
        dtype: str | None = None,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
    ) -> None:
        """Reads single calls."""
        for mod in TRACES:
            self.mod_read_all_dxt_records(mod, dtype, False, reads, writes, filter_patterns, filter_mode)

    def read_all_heatmap_records(self) -> None:
        """Reads the heat maps, which `heatmaps` then has by layer."""
        if "HEATMAP" not in self._modules:
            raise ModuleNotInDarshanLog("HEATMAP")
        self._bins = self._opened().heatmaps()

    def mod_read_all_records(
        self,
        mod: str,
        dtype: str | None = None,
        warnings: bool = True,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
        refresh_names: bool = False,
    ) -> None:
        """Reads the records of a module with counters. Raises ValueError where the log has none."""
        if mod in TRACES or mod in OTHERS:
            if warnings:
                logger.warning(f" Skipping. Currently unsupported: {mod} in mod_read_all_records().")
            return
        if mod not in self._modules or mod not in TABLES:
            raise ModuleNotInDarshanLog(f"mod {mod} is not available in this DarshanReport object.")
        kind = checked(dtype or self.dtype)
        self._name(filter_patterns, filter_mode, refresh_names)
        names = self._counters.setdefault(mod, names_of(TABLES[mod]))
        arrays = self._opened().records(TABLES[mod])
        arrays.only(self.name_records)
        self._modules[mod]["num_records"] = len(arrays)
        if kind == "pandas":
            self.records[mod] = combined(arrays, names)
            return
        self.records[mod] = found = DarshanRecordCollection.of_arrays(mod, self._report, arrays)
        if kind == "dict":
            found._records = as_dicts(arrays, names)

    def mod_read_all_dxt_records(
        self,
        mod: str,
        dtype: str | None = None,
        warnings: bool = True,
        reads: bool = True,
        writes: bool = True,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
        refresh_names: bool = False,
    ) -> None:
        """Reads single calls of a layer; nothing where the log has none."""
        if self._is_skipped(mod, TRACES, "mod_read_all_dxt_records", warnings):
            return
        kind = checked(dtype or self.dtype)
        self._name(filter_patterns, filter_mode, refresh_names)
        arrays = self._opened().segments(TRACES[mod])
        arrays.only(self.name_records)
        self._counters.setdefault(mod, {})
        self._modules[mod]["num_records"] = len(arrays)
        self.records[mod] = found = DarshanRecordCollection.of_arrays(mod, self._report, arrays)
        if kind == "pandas":
            found._records = segments_as_frames(arrays)

    def mod_read_all_lustre_records(
        self,
        dtype: str | None = None,
        warnings: bool = True,
        filter_patterns: Sequence[str] | None = None,
        filter_mode: str = "exclude",
        refresh_names: bool = False,
    ) -> None:
        """Reads the stripes of files; nothing where the log has none."""
        if self._is_skipped("LUSTRE", ["LUSTRE"], "mod_read_all_lustre_records", warnings):
            return
        kind = checked(dtype or self.dtype)
        self._name(filter_patterns, filter_mode, refresh_names)
        names = self._counters.setdefault("LUSTRE", {"counters": names_of("lustre_component")["counters"]})
        found = stripes(self._opened(), self.name_records, names["counters"], kind)
        self._modules["LUSTRE"]["num_records"] = len(found)
        self.records["LUSTRE"] = collection = DarshanRecordCollection.of_arrays("LUSTRE", self._report, found)
        if kind == "pandas":
            frame = collection.to_df()["components"]
            frame.index = [0] * len(frame)  # as where frames of one row are joined
            self.records["LUSTRE"] = [{"rank": -1, "id": -1, "components": frame}]

    def mod_read_all_apmpi_records(
        self, mod: str = "APMPI", dtype: str | None = None, warnings: bool = True, refresh_names: bool = False
    ) -> None:
        """Reads the counters of MPI calls; nothing where the log has none."""
        if self._is_skipped(mod, ["APMPI"], "mod_read_all_apmpi_records", warnings):
            return
        self._name(None, "exclude", refresh_names)
        self._counters.setdefault(mod, {})
        found = performance_of_mpi(self._opened())
        self.records[mod] = DarshanRecordCollection.of_arrays(mod, self._report, found)
        self._modules[mod]["num_records"] = len(found)

    def mod_read_all_apxc_records(
        self, mod: str = "APXC", dtype: str | None = None, warnings: bool = True, refresh_names: bool = False
    ) -> None:
        """diya does not read these: a warning says so."""
        if not self._is_skipped(mod, ["APXC"], "mod_read_all_apxc_records", warnings) and warnings:
            logger.warning(" Skipping. diya does not read records of APXC.")

    def mod_records(self, mod: str, dtype: str = "numpy", warnings: bool = True) -> Iterator[dict[str, Any]]:
        """The records of a module with counters, one after the other; none where the log has none.

        Raises ValueError if there is no such module in Darshan.
        """
        if mod not in mod_names():
            raise ModuleNotInDarshanLog(f"there is no module {mod} in Darshan")
        if mod not in TABLES or mod not in self._modules:
            return iter(())
        names = self._counters.setdefault(mod, names_of(TABLES[mod]))
        arrays = self._opened().records(TABLES[mod])
        return iter(as_dicts(arrays, names)) if checked(dtype) == "dict" else arrays.records()

    @property
    def _report(self) -> DarshanReport:
        return cast("DarshanReport", self)

    def _name(self, filter_patterns: Sequence[str] | None, filter_mode: str, refresh: bool) -> None:
        if refresh or not self.name_records_read:
            self.read_name_records(filter_patterns, filter_mode)

    def _is_skipped(self, mod: str, known: Any, method: str, warnings: bool) -> bool:
        if mod not in self._modules:
            text = f" Skipping. Log does not contain data for mod: {mod}"
        elif mod not in known:
            text = f" Skipping. Unsupported module: {mod} in {method}(). Supported: {[*known]}"
        else:
            return False
        if warnings:
            logger.warning(text)
        return True
