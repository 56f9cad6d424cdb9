"""Compares diya's tables, cell by cell, with those of a reference.

Floats are equal when their 64 bits are. A null is right where the contract
says that the recorded value becomes null, and wrong everywhere else; a value
that should have become null is wrong too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from align import align, bits
from contract import COUNTER_TABLES, KEYS, null_rule
from diya_tables import Cells

Table = dict[str, np.ndarray]
MISSING_ROWS, EXTRA_ROWS, ORDER, VALUE = "rows missing", "rows extra", "order", "value"


@dataclass
class Difference:
    """Cells of one column, or rows of one table, that differ.

    ``what`` is seen from diya: ``rows missing`` are in the reference only.
    """

    table: str
    column: str
    what: str
    count: int
    key: tuple = ()
    reference: np.ndarray = field(default_factory=lambda: np.empty(0))
    diya: np.ndarray = field(default_factory=lambda: np.empty(0))
    diya_is_null: np.ndarray = field(default_factory=lambda: np.empty(0, bool))

    def __str__(self) -> str:
        if self.what != VALUE:
            return f"{self.table}: {self.count} {self.what} {self.key}"
        shown = "null" if self.diya_is_null[0] else repr(self.diya[0])
        return (
            f"{self.table}.{self.column}: {self.count} values, first at {self.key}:"
            f" reference {self.reference[0]!r}, diya {shown}"
        )


@dataclass
class Comparison:
    """Differences of one log from one reference, and how much was compared."""

    differences: list[Difference] = field(default_factory=list)
    tables: int = 0
    cells: int = 0


#: Tables whose rows the contract promises in the order of the log.
ORDERED = {"call", "file", "mount", "lustre_component", "lustre_target", *COUNTER_TABLES.values()}


def compare_tables(reference: dict[str, Table], diya: dict[str, dict[str, Cells]], *, is_complete: bool) -> Comparison:
    """Compare every table of the reference.

    Parameters
    ----------
    is_complete
        True for the bytes: a counter they do not hold must be null in diya,
        and the order of the rows counts. False for PyDarshan, which does not
        tell all and sorts mounts and names.
    """
    found = Comparison()
    if is_complete:
        for name in diya.keys() - reference.keys() - {"read_issue"}:
            rows = len(next(iter(diya[name].values())).values)
            found.differences.append(Difference(name, "", EXTRA_ROWS, rows))
    for name, table in reference.items():
        rows = len(next(iter(table.values()))) if table else 0
        if name not in diya:
            if rows:
                found.differences.append(Difference(name, "", MISSING_ROWS, rows))
            continue
        found.tables += 1
        compare_table(name, table, diya[name], found, is_complete=is_complete)
    return found


def compare_table(name: str, reference: Table, diya: dict[str, Cells], found: Comparison, *, is_complete: bool) -> None:
    """Align the rows by key and compare all columns of one table."""
    if not reference:
        if diya:
            rows = len(next(iter(diya.values())).values)
            found.differences.append(Difference(name, "", EXTRA_ROWS, rows))
        return
    keys = [k for k in KEYS[name] if k in reference and k in diya]
    pairs = align([reference[k] for k in keys], [diya[k] for k in keys]) if keys else None
    left: slice | np.ndarray = slice(None)
    right = left
    if pairs is not None:
        left, right = pairs.reference, pairs.diya
        for what, rows, value in (
            (MISSING_ROWS, pairs.missing, lambda key, row: reference[key][row]),
            (EXTRA_ROWS, pairs.extra, lambda key, row: diya[key].values[row]),
        ):
            if len(rows):
                first = tuple(value(key, rows[0]) for key in keys)
                found.differences.append(Difference(name, "", what, len(rows), first))
        moved = int((np.diff(right) < 0).sum())
        if moved and is_complete and name in ORDERED:
            found.differences.append(Difference(name, "", ORDER, moved))
    rank = reference["rank"][left] if "rank" in reference else None
    for column, cells in diya.items():
        shown = Cells(cells.values[right], cells.is_null[right])
        if column in reference:
            values = reference[column][left]
            found.cells += len(values)
            is_wrong = wrong_cells(values, shown, null_rule(name, column), rank)
        elif is_complete and null_rule(name, column) is not None:
            values, is_wrong = np.full(len(shown.values), None), ~shown.is_null
        else:
            continue
        if is_wrong.any():
            first = int(np.argmax(is_wrong))
            found.differences.append(
                Difference(
                    name,
                    column,
                    VALUE,
                    int(is_wrong.sum()),
                    tuple(reference[k][left][first] for k in keys),
                    values[is_wrong],
                    shown.values[is_wrong],
                    shown.is_null[is_wrong],
                )
            )


def wrong_cells(values: np.ndarray, shown: Cells, rule: str | None, rank: np.ndarray | None) -> np.ndarray:
    """Which cells of a column differ from the recorded values."""
    is_absent = np.ma.getmaskarray(values) if np.ma.isMaskedArray(values) else False
    values = np.ma.getdata(values)
    if values.dtype == object:
        must_be_null = np.equal(values, None)
        is_equal = np.equal(values, shown.values)
        return np.where(must_be_null, ~shown.is_null, shown.is_null | ~is_equal.astype(bool))
    must_be_null = np.zeros(len(values), bool)
    if rule == "minus_one":
        must_be_null = values == -1
    elif rule == "zero":
        must_be_null = values == 0
    elif rule == "zero_unshared" and rank is not None:
        must_be_null = (values == 0) & (rank >= 0)
    is_equal = bits(values) == bits(shown.values)
    return np.where(must_be_null | is_absent, ~shown.is_null, shown.is_null | ~is_equal)
