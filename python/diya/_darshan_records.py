"""Records of a log as PyDarshan shows them."""

from __future__ import annotations

import copy
import datetime
import functools
import json
from collections.abc import Hashable, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Union

from ._darshan_log import TRACES, Counters, Later, Segments

if TYPE_CHECKING:
    from .darshan import DarshanReport

#: Records as arrays, which become dictionaries when somebody looks at one.
Arrays = Union[Counters, Segments, Later]

KEYS = ("counters", "fcounters")


class DarshanReportJSONEncoder(json.JSONEncoder):
    """Arrays become lists, numbers of NumPy those of Python, times text."""

    def default(self, o: Any) -> Any:
        """What JSON does not know by itself."""
        if isinstance(o, datetime.datetime):
            return o.isoformat()
        if hasattr(o, "tolist"):
            return o.tolist()
        return super().default(o)


class DarshanRecordCollection(MutableSequence[Any]):
    """The records of one module: dictionaries, and frames of all.

    An element is a collection of one record, which also has the keys of the record.
    """

    def __init__(self, mod: str | None = None, report: DarshanReport | None = None) -> None:
        #: Name of the module.
        self.mod = mod
        #: The log.
        self.report = report
        self.rank = self.id = self.timebase = self.start_time = self.end_time = None
        self._type = "collection"
        self._arrays: Arrays | None = None
        self._list: list[Any] = []

    @classmethod
    def of_arrays(cls, mod: str, report: DarshanReport, arrays: Arrays) -> DarshanRecordCollection:
        """Records that were read."""
        made = cls(mod, report)
        made._arrays = arrays
        return made

    @property
    def _records(self) -> list[Any]:
        # They may be changed from now on, so the list is what counts.
        if self._arrays is not None:
            self._list, self._arrays = list(self._arrays.records()), None
        return self._list

    @_records.setter
    def _records(self, records: list[Any]) -> None:
        self._list, self._arrays = records, None

    def __len__(self) -> int:
        return len(self._list if self._arrays is None else self._arrays)

    def __getitem__(self, key: Any) -> Any:
        if self._type == "record":
            # A slice is hashable since Python 3.12.
            is_key = isinstance(key, Hashable) and not isinstance(key, slice)
            return self._records[0][key] if is_key else self._records[0]
        part = DarshanRecordCollection(self.mod, self.report)
        if isinstance(key, slice):
            part._list = self._records[key]
        else:
            part._type, part._list = "record", [self._records[key]]
        return part

    def __setitem__(self, key: Any, value: Any) -> None:
        self._records[key] = value

    def __delitem__(self, key: int | slice) -> None:
        del self._records[key]

    def insert(self, index: int, value: Any) -> None:
        """Puts a record before another one."""
        self._records.insert(index, value)

    def __repr__(self) -> str:
        if self._type == "record":
            return repr(self._records[0])
        return f"<diya.darshan.DarshanRecordCollection {self.mod}: {len(self)} records>"

    def info(self, describe: bool = False, plot: bool = False) -> None:
        """Prints whose records these are; describe, plot: also how their counters are distributed."""
        records = self._records
        print(f"Module:       {self.mod}\nRecords:      {len(self)}\nColl. Type:   {self._type}")
        if self.mod == "LUSTRE":
            return
        print(f"Ranks:        { {record['rank'] for record in records} }")
        print(f"Name Records: { {record['id'] for record in records} }")
        if self.mod in TRACES:
            print(f"Hostnames:    { {record['hostname'] for record in records} }")
            print(f"Read Events:  {sum(record['read_count'] for record in records)}")
            print(f"Write Events: {sum(record['write_count'] for record in records)}")
        elif describe or plot:
            for frame in self.to_df(attach=None).values():
                if plot:
                    frame.plot.box(vert=False, figsize=(7, 0.3 * len(frame.columns)))
                if describe:
                    print(frame.describe().transpose().to_string())

    def _names(self, key: str) -> list[str]:
        assert self.report is not None, "records of no report have no names"
        names: list[str] = self.report.counters[self.mod][key]
        return names

    def to_numpy(self) -> list[Any]:
        """The records with their counters as arrays, which are copies."""
        return copy.deepcopy(self._records)

    def to_list(self) -> list[Any]:
        """The records with their counters as lists."""
        if self.mod in TRACES or self.mod == "LUSTRE":
            # What PyDarshan raises: scripts that exist catch it.
            raise NotImplementedError(f"records of {self.mod} are no lists of counters")
        return [{**r, **{key: r[key].tolist() for key in KEYS}} for r in self._records]

    def to_dict(self) -> list[Any]:
        """The records with their counters by name."""
        if self.mod == "LUSTRE":
            raise NotImplementedError("records of LUSTRE have components in the place of counters")
        if self.mod in TRACES:
            return self.to_numpy()
        return [{**r, **{key: dict(zip(self._names(key), r[key].tolist())) for key in KEYS}} for r in self._records]

    def to_json(self) -> str:
        """The records with their counters as lists, as JSON."""
        return json.dumps(self.to_list(), cls=DarshanReportJSONEncoder)

    def to_df(self, attach: str | Sequence[str] | None = "default") -> Any:
        """As frames of pandas.

        Counters: `{"counters": frame, "fcounters": frame}`, with columns `rank` and `id`
        unless `attach` leaves them out. Single calls: the records, whose `read_segments` and
        `write_segments` are frames. Lustre: `{"components": frame}`.
        """
        attached = ["id", "rank"] if attach == "default" else [*(attach or ())]
        if self.mod in TRACES:
            return self._frames_of_calls()
        if self.mod == "LUSTRE":
            return {"components": self._components(attached)}
        return self._frames_of_counters(attached)

    def _frames_of_calls(self) -> list[dict[str, Any]]:
        import pandas

        if isinstance(self._arrays, Segments):
            return list(self._arrays.records(as_frames=True))
        parts = ("read_segments", "write_segments")
        return [{**r, **{key: pandas.DataFrame(r[key]) for key in parts}} for r in self._records]

    def _frames_of_counters(self, attached: list[str]) -> dict[str, Any]:
        import numpy
        import pandas

        heads: dict[str, Any]
        if isinstance(self._arrays, Counters):
            arrays = self._arrays
            values = {"counters": arrays.counters.copy(), "fcounters": arrays.fcounters.copy()}
            heads = {"id": arrays.ids, "rank": arrays.ranks}
        else:
            records = self._records
            values = {key: numpy.stack([r[key] for r in records]) if records else None for key in KEYS}
            heads = {"id": _ids([r["id"] for r in records]), "rank": [r["rank"] for r in records]}
        made = {}
        front = [column for column in ("rank", "id") if column in attached]
        for key, rows in values.items():
            names = self._names(key)
            frame = pandas.DataFrame(rows, columns=None if rows is not None else names)
            # Named at the end: an index of text takes longer than the frame of a small log.
            for place, column in enumerate(front):
                frame.insert(place, -1 - place, heads[column])
            frame.columns = _index((*front, *names))
            made[key] = frame
        return made

    def _components(self, attached: list[str]) -> Any:
        import numpy
        import pandas

        rows = [(record, part) for record in self._records for part in record["components"]]
        values = numpy.stack([part["counters"] for _, part in rows]) if rows else None
        frame = pandas.DataFrame(values, columns=self._names("counters"))
        frame["LUSTRE_POOL_NAME"] = [part["pool_name"] for _, part in rows]
        frame["LUSTRE_OST_IDS"] = [part["ost_ids"] for _, part in rows]
        heads = {"id": _ids([record["id"] for record, _ in rows]), "rank": [record["rank"] for record, _ in rows]}
        for column in ("id", "rank"):
            if column in attached:
                frame.insert(0, column, heads[column])
        return frame


@functools.lru_cache(maxsize=64)
def _index(names: tuple[str, ...]) -> Any:
    import pandas

    return pandas.Index(names)


def _ids(ids: list[Any]) -> Any:
    """Of one type, also where all are small; a reduced record may have a word in the place of its id."""
    import numpy

    return numpy.array(ids, "uint64") if all(isinstance(i, (int, numpy.integer)) for i in ids) else ids
