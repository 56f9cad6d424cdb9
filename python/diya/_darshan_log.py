"""The tables of one log, as arrays, for `diya.darshan`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import _diya
from ._rows import Rows
from .errors import FormatError, OpenError

#: Module of Darshan -> table with its counters.
TABLES = {
    "POSIX": "posix",
    "MPI-IO": "mpiio",
    "H5F": "hdf5_file",
    "H5D": "hdf5_dataset",
    "PNETCDF_FILE": "pnetcdf_file",
    "PNETCDF_VAR": "pnetcdf_var",
    "BG/Q": "bgq",
    "STDIO": "stdio",
    "MDHIM": "mdhim",
    "DFS": "dfs",
    "DAOS": "daos",
}

#: Module of single calls -> layer in table `call`.
TRACES = {"DXT_POSIX": "posix", "DXT_MPIIO": "mpiio"}

#: The other modules -> the tables with what is in them.
OTHERS = {
    "LUSTRE": ("lustre_component", "lustre_target"),
    "HEATMAP": ("heatmap",),
    "APMPI": ("apmpi", "apmpi_summary"),
    "APXC": (),
}

#: What a log is about, and all of it.
HEAD = ("job", "module", "mount")
ALL = (*HEAD, "file", "call", *TABLES.values(), *(table for tables in OTHERS.values() for table in tables))


class NotOpenedError(OpenError, RuntimeError):
    """A log cannot be opened: as PyDarshan, this is a RuntimeError, too."""


class NotALogError(FormatError, RuntimeError):
    """The bytes are no log: as PyDarshan, this is a RuntimeError, too."""


class DarshanLog:
    """A log on a disk, and what was read of it so far. A copy reads it again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._read: dict[str, _diya.DarshanLog] = {}
        #: Whether its modules are parts of the file, which are read alone.
        self._has_modules = True

    def __reduce__(self) -> tuple[type[DarshanLog], tuple[str]]:
        return DarshanLog, (self.path,)

    def read(self, tables: Iterable[str]) -> None:
        """Reads what is missing of these tables, at once."""
        wanted = tables if self._has_modules else ALL
        missing = [table for table in wanted if table not in self._read]
        if not missing:
            return
        try:
            native = _diya.darshan_log(os.path.expanduser(self.path), missing, 0)
        except OpenError as error:
            kind = NotALogError if isinstance(error, FormatError) else NotOpenedError
            raise kind(f"Failed to open file: {error}", error.file, error.offset, error.reason) from None
        self._read.update(dict.fromkeys(missing, native))
        if "module" in missing:
            self._has_modules = any(row["module_id"] is not None for row in self.rows("module"))

    def _of(self, table: str) -> _diya.DarshanLog:
        self.read([table])
        return self._read[table]

    def rows(self, table: str) -> Rows:
        """Rows of a small table."""
        return Rows(self._of(table).rows(table))

    def names(self) -> dict[int, str]:
        """Names by id."""
        return self._of("file").names()

    def column(self, table: str, name: str, kind: str) -> Any:
        """A column as an array of int64, uint64 or float64."""
        import numpy

        return numpy.frombuffer(self._of(table).column(table, name), kind)

    def texts(self, table: str, name: str) -> list[str]:
        """A column of text; "" where there is none."""
        return [text or "" for text in self._of(table).texts(table, name)]

    def records(self, table: str) -> Counters:
        """The records of a module with counters."""
        return Counters(self._of(table).records(table))

    def segments(self, layer: str) -> Segments:
        """Reads and writes of a layer."""
        return Segments(self._of("call").segments(layer))

    def heatmaps(self) -> list[tuple[str, int, float, bytearray, bytearray]]:
        """Layer, rank, seconds of a bin, bytes written and read per bin."""
        return self._of("heatmap").heatmaps()


class Counters:
    """Records with counters: a row of each array is a record."""

    def __init__(self, native: tuple[int, bytearray, bytearray, bytearray | None, bytearray, bytearray]) -> None:
        import numpy

        count, ids, ranks, files, whole, real = native
        self.ids = numpy.frombuffer(ids, "uint64")
        self.ranks = numpy.frombuffer(ranks, "int64")
        self.files = None if files is None else numpy.frombuffer(files, "uint64")
        self.counters = numpy.frombuffer(whole, "int64").reshape(count, -1 if count else 0)
        self.fcounters = numpy.frombuffer(real, "float64").reshape(count, -1 if real else 0)

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, ids: Iterable[int]) -> None:
        """Keeps the records with these ids."""
        import numpy

        kept = numpy.isin(self.ids, numpy.fromiter(ids, "uint64"))
        if kept.all():
            return
        self.ids, self.ranks = self.ids[kept], self.ranks[kept]
        self.files = None if self.files is None else self.files[kept]
        self.counters, self.fcounters = self.counters[kept], self.fcounters[kept]

    def records(self) -> Iterator[dict[str, Any]]:
        """Each record as a dictionary; its counters are rows of the arrays."""
        files = [None] * len(self) if self.files is None else self.files.tolist()
        heads = zip(self.ids.tolist(), self.ranks.tolist(), files)
        for (key, rank, file), whole, real in zip(heads, self.counters, self.fcounters):
            head = {"id": key, "rank": rank}
            if file is not None:
                head["file_rec_id"] = file
            yield {**head, "counters": whole, "fcounters": real}


class Later:
    """Records that are made when somebody looks at one."""

    def __init__(self, count: int, make: Callable[[], list[dict[str, Any]]]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    def __reduce__(self) -> tuple[type[Later], tuple[int, Callable[[], list[dict[str, Any]]]]]:
        return Later, (self._count, list(self._make()).copy)

    def records(self) -> list[dict[str, Any]]:
        """All of them."""
        return self._make()


class Segments:
    """Reads and writes, record by record, writes first."""

    NAMES = ("offset", "length", "start_time", "end_time")

    def __init__(self, native: tuple[list[tuple[int, int, str, int, int]], list[bytearray]]) -> None:
        import numpy

        heads, columns = native
        kinds = ("int64", "int64", "float64", "float64")
        self._columns = [numpy.frombuffer(column, kind) for column, kind in zip(columns, kinds)]
        self._heads: list[tuple[Any, ...]] = []
        first = 0
        for key, rank, host, writes, reads in heads:
            self._heads.append((key, rank, host, first, first + writes, first + writes + reads))
            first += writes + reads

    def __len__(self) -> int:
        return len(self._heads)

    def only(self, ids: dict[int, str]) -> None:
        """Keeps the records with these ids."""
        self._heads = [head for head in self._heads if head[0] in ids]

    def records(self, as_frames: bool = False) -> Iterator[dict[str, Any]]:
        """Each record as a dictionary; its segments are dictionaries, or a frame of pandas."""
        part = self._frame if as_frames else self._dicts
        for key, rank, host, first, middle, end in self._heads:
            yield {
                "id": key,
                "rank": rank,
                "hostname": host,
                "write_count": middle - first,
                "read_count": end - middle,
                "write_segments": part(first, middle),
                "read_segments": part(middle, end),
            }

    def _dicts(self, first: int, end: int) -> list[dict[str, Any]]:
        columns = [column[first:end].tolist() for column in self._columns]
        return [dict(zip(self.NAMES, row)) for row in zip(*columns)]

    def _frame(self, first: int, end: int) -> Any:
        import pandas

        if first == end:
            return pandas.DataFrame()
        return pandas.DataFrame({name: column[first:end] for name, column in zip(self.NAMES, self._columns)})
