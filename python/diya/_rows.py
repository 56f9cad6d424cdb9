"""Rows with their columns: a table, a metric, the answer of a query."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from . import _diya

#: Rows that a terminal or a notebook shows.
_SHOWN = 20


class Rows:
    """Rows, which pyarrow, polars, pandas and duckdb take as they are.

    They are Arrow by the PyCapsule interface: `polars.DataFrame(rows)`,
    `pyarrow.table(rows)`, `pandas.DataFrame.from_arrow(rows)`, and in duckdb
    `select ... from rows`.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _diya.Rows) -> None:
        self._native = native

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def __len__(self) -> int:
        return len(self._native)

    def __bool__(self) -> bool:
        return len(self._native) > 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for first in range(0, len(self), 1024):
            yield from self._native.dicts(first, 1024)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self._native.column_names

    @property
    def units(self) -> dict[str, str | None]:
        """Unit of each column; None: a query computed it."""
        return {name: unit for name, _, unit, _ in self._native.fields()}

    def to_dicts(self, count: int | None = None) -> list[dict[str, Any]]:
        """Rows as dictionaries, without any other package; times are text."""
        return self._native.dicts(0, len(self) if count is None else count)

    def to_arrow(self) -> Any:
        """As a table of pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> Any:
        """As a data frame of pandas."""
        import pandas

        from_arrow = getattr(pandas.DataFrame, "from_arrow", None)  # since pandas 3
        return self.to_arrow().to_pandas() if from_arrow is None else from_arrow(self)

    def to_polars(self) -> Any:
        """As a data frame of polars."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        text = self._native.text(_SHOWN, 48)
        hidden = len(self) - _SHOWN
        return text + (f"{_count(hidden)} more" if hidden > 0 else _count(len(self)))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = "".join(_row(row) for row in self._native.dicts(0, _SHOWN))
        hidden = len(self) - _SHOWN
        note = f"<p>{_count(hidden)} more</p>" if hidden > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"


def _count(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows:,} rows"


def _row(row: dict[str, Any]) -> str:
    return "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row.values()) + "</tr>"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return escape(text)
