"""Heat maps: bytes per rank in equal bins of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Layer -> what PyDarshan calls it.
MODULES = {"posix": "POSIX", "mpiio": "MPIIO", "stdio": "STDIO", "dfs": "DFS", "daos": "DAOS"}


class Heatmap:
    """Bytes of one layer; a rank without I/O may be missing."""

    def __init__(self, mod: str | None = None) -> None:
        self._mod = mod
        self._ranks: set[int] = set()
        self._nbins: int | None = None
        self._bin_width_seconds: float | None = None
        self._num_recs = 0
        self._data: dict[str, dict[int, Any]] = {"read": {}, "write": {}}

    def __repr__(self) -> str:
        width = self._bin_width_seconds
        return f"<diya.darshan.Heatmap (mod={self._mod}, nbins={self._nbins}, bin_width={width}s)>"

    def info(self, plot: bool = False) -> None:
        """Prints whose heat map this is; plot: also draws it."""
        print(repr(self))
        print(f"Module:        {self._mod}")
        if len(self._ranks) < 10:
            print(f"Ranks:         {self._ranks}")
        else:
            print(f"Ranks (len):   {len(self._ranks)}")
        print(f"Num. bins:     {self._nbins}\nBin width (s): {self._bin_width_seconds}")
        print(f"Num. recs:     {self._num_recs}")
        if plot:
            from matplotlib import pyplot

            for op in self._data:
                print(op)
                pyplot.pcolor(self.to_df([op]))
                pyplot.show()

    def add_record(self, rec: dict[str, Any]) -> None:
        """Adds the bins of a rank: `rank`, `nbins`, `bin_width_seconds`, `read_bins`, `write_bins`."""
        for name, own in (("nbins", self._nbins), ("bin_width_seconds", self._bin_width_seconds)):
            if own is not None and own != rec[name]:
                raise ValueError(f"Record {name} is not consistent with current heatmap.")
        self._nbins, self._bin_width_seconds = rec["nbins"], rec["bin_width_seconds"]
        self._ranks.add(rec["rank"])
        self._data["read"][rec["rank"]] = rec["read_bins"]
        self._data["write"][rec["rank"]] = rec["write_bins"]
        self._num_recs += 1

    def to_df(self, ops: Sequence[str], interval_index: bool = True) -> Any:
        """Bytes of these operations, "read" and "write", as a frame: a row per rank, a column per bin.

        interval_index: the columns are intervals in seconds; False: numbers.
        """
        import numpy
        import pandas

        for op in ops:
            if op not in self._data:
                raise ValueError(f"{op} not in heatmap.")
        bins, width = self._nbins or 0, self._bin_width_seconds or 0.0
        columns: Any = numpy.arange(bins)
        if interval_index:
            columns = pandas.IntervalIndex.from_breaks(numpy.linspace(0, bins * width, bins + 1))
        ranks = list(self._data["read"])
        rows = sum(numpy.stack([*self._data[op].values()]) for op in ops)
        return pandas.DataFrame(rows, index=pandas.Index(ranks, name="rank"), columns=columns)


def heatmaps(found: list[tuple[str, int, float, bytearray, bytearray]]) -> dict[str, Heatmap]:
    """The heat maps of a log: layer, rank, seconds of a bin, bytes written and read per bin."""
    import numpy

    longest: dict[str, int] = {}
    for layer, _, _, written, read in found:
        longest[layer] = max(longest.get(layer, 0), len(written) // 8, len(read) // 8)
    maps: dict[str, Heatmap] = {}
    for layer, rank, width, written, read in found:
        mod = MODULES.get(layer, layer)
        bins = longest[layer]
        record: dict[str, Any] = {"rank": rank, "nbins": bins, "bin_width_seconds": width}
        for key, raw in (("write_bins", written), ("read_bins", read)):
            # Darshan 3.4.0 to 3.4.3 may leave a record with a bin less.
            values = numpy.zeros(bins, "int64")
            values[: len(raw) // 8] = numpy.frombuffer(raw, "int64")
            record[key] = values
        maps.setdefault(mod, Heatmap(mod)).add_record(record)
    return maps
