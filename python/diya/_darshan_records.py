"""Records of a log as PyDarshan shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from .darshan import DarshanReport

#: Module of Darshan -> table with its counters.
TABLES = {
    "POSIX": "posix",
    "MPI-IO": "mpiio",
    "STDIO": "stdio",
    "H5F": "hdf5_file",
    "H5D": "hdf5_dataset",
    "PNETCDF_FILE": "pnetcdf_file",
    "PNETCDF_VAR": "pnetcdf_var",
    "DFS": "dfs",
    "DAOS": "daos",
}

#: Module of single calls -> layer in table `call`.
TRACES = {"DXT_POSIX": "posix", "DXT_MPIIO": "mpiio"}

#: Module of stripes.
LUSTRE = "LUSTRE"


class DarshanRecordCollection(Sequence[Any]):
    """The records of one module: dictionaries, and frames of all."""

    def __init__(self, mod: str, report: DarshanReport, records: list[dict[str, Any]]) -> None:
        #: Name of the module.
        self.mod = mod
        #: The log.
        self.report = report
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> DarshanRecordCollection: ...
    def __getitem__(self, key: int | slice) -> Any:
        if isinstance(key, slice):
            return DarshanRecordCollection(self.mod, self.report, self._records[key])
        return self._records[key]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._records)

    def to_numpy(self) -> list[dict[str, Any]]:
        """The records with their counters as arrays."""
        return [dict(record) for record in self._records]

    def to_list(self) -> list[dict[str, Any]]:
        """The records with their counters as lists."""
        if self.mod not in TABLES:
            # What PyDarshan raises: scripts that exist catch it.
            raise NotImplementedError(f"records of {self.mod} are no lists of counters")
        lists = ("counters", "fcounters")
        return [r | {key: r[key].tolist() for key in lists} for r in self._records]

    def to_dict(self) -> list[dict[str, Any]]:
        """The records with their counters by name."""
        if self.mod not in TABLES:
            return self.to_numpy()
        names = self.report.counters[self.mod]
        keys = ("counters", "fcounters")
        return [r | {k: dict(zip(names[k], r[k].tolist())) for k in keys} for r in self._records]

    def to_df(self, attach: str | Sequence[str] | None = "default") -> Any:
        """As frames of pandas.

        Counters: `{"counters": frame, "fcounters": frame}`, with columns `rank` and `id`
        unless `attach` leaves them out. Single calls: the records, whose `read_segments` and
        `write_segments` are frames. Lustre: `{"components": frame}`.
        """
        import pandas

        if self.mod in TRACES:
            frames = ("read_segments", "write_segments")
            return [r | {key: pandas.DataFrame(r[key]) for key in frames} for r in self._records]
        attached = ["rank", "id"] if attach == "default" else [*(attach or ())]
        if self.mod == LUSTRE:
            return {"components": self._components(attached)}
        names = self.report.counters[self.mod]
        made = {}
        for key in ("counters", "fcounters"):
            columns = names[key]
            rows = [record[key] for record in self._records]
            frame = pandas.DataFrame(rows, columns=columns) if rows else pandas.DataFrame(columns=columns)
            for column in ("id", "rank"):
                if column in attached:
                    kind = "uint64" if column == "id" else "int64"
                    values = [record[column] for record in self._records]
                    frame.insert(0, column, pandas.Series(values, dtype=kind))
            made[key] = frame
        return made

    def _components(self, attached: list[str]) -> Any:
        import pandas

        rows = [(r, part) for r in self._records for part in r["components"]]
        columns = self.report.counters[LUSTRE]["counters"]
        frame = pandas.DataFrame([part["counters"] for _, part in rows], columns=columns)
        frame["LUSTRE_POOL_NAME"] = [part["pool_name"] for _, part in rows]
        frame["LUSTRE_OST_IDS"] = [part["ost_ids"] for _, part in rows]
        for column in ("id", "rank"):
            if column in attached:
                frame.insert(0, column, [record[column] for record, _ in rows])
        return frame
