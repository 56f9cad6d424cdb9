"""Compares diya's tables, cell by cell, with those of a reference.

Floats are equal when their 64 bits are. A null is right where the contract
says that the recorded value becomes null, and wrong everywhere else; a value
that should have become null is wrong too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

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


def compare_tables(
    reference: dict[str, Table], diya: dict[str, dict[str, Cells]], *, is_complete: bool
) -> Comparison:
    """Compare every table of the reference.

    Parameters
    ----------
    is_complete
        True for the bytes: a counter they do not hold must be null in diya,
        and the order of the rows counts. False for PyDarshan, which does not
        tell all and sorts mounts and names.
    """
    found = Comparison()
    for name, table in reference.items():
        rows = len(next(iter(table.values()))) if table else 0
        if name not in diya:
            if rows:
                found.differences.append(Difference(name, "", MISSING_ROWS, rows))
            continue
        found.tables += 1
        compare_table(name, table, diya[name], found, is_complete=is_complete)
    return found


def compare_table(
    name: str, reference: Table, diya: dict[str, Cells], found: Comparison, *, is_complete: bool
) -> None:
    """Align the rows by key and compare all columns of one table."""
    if not reference:
        if diya:
            rows = len(next(iter(diya.values())).values)
            found.differences.append(Difference(name, "", EXTRA_ROWS, rows))
        return
    keys = [k for k in KEYS[name] if k in reference and k in diya]
    left, right = align(name, [reference[k] for k in keys], [diya[k] for k in keys], found)
    if left is not None and is_complete and name in ORDERED:
        moved = int((np.diff(right) < 0).sum())
        if moved:
            found.differences.append(Difference(name, "", ORDER, moved))
    if left is None:
        lengths = len(next(iter(reference.values()))), len(next(iter(diya.values())).values)
        left = right = slice(0, min(lengths))
        if lengths[0] != lengths[1]:
            what = MISSING_ROWS if lengths[0] > lengths[1] else EXTRA_ROWS
            found.differences.append(Difference(name, "", what, abs(lengths[0] - lengths[1])))
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


def wrong_cells(
    values: np.ndarray, shown: Cells, rule: str | None, rank: np.ndarray | None
) -> np.ndarray:
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


def bits(values: np.ndarray) -> np.ndarray:
    """64 bits of each number, so that -0.0 and NaN compare as what they are."""
    if values.dtype.kind == "f":
        return np.ascontiguousarray(values, "f8").view("u8")
    return values.astype("i8" if values.dtype.kind != "u" else "u8").view("u8")


def align(
    name: str, reference: list[np.ndarray], diya: list[Cells], found: Comparison
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Row numbers that belong together; ``None`` when the rows already stand in line.

    Rows with the same key are paired in the order in which they stand.
    """
    if not reference:
        return None, None
    codes = np.zeros(len(reference[0]) + len(diya[0].values), np.int64)
    if len(reference[0]) == len(diya[0].values):
        pairs = zip(reference, diya, strict=True)
        if all(is_same(values, cells).all() for values, cells in pairs):
            return None, None
    for values, cells in zip(reference, diya, strict=True):
        both = np.concatenate([as_key(values), as_key(cells.values)])
        codes = codes * (len(both) + 1) + np.unique(both, return_inverse=True)[1]
        codes = np.unique(codes, return_inverse=True)[1]
    split = len(reference[0])
    left, right = (occurrence_keys(part, len(codes)) for part in (codes[:split], codes[split:]))
    _, left_rows, right_rows = np.intersect1d(left, right, return_indices=True)
    for what, own, rows, key in (
        (MISSING_ROWS, left, left_rows, lambda i: tuple(v[i] for v in reference)),
        (EXTRA_ROWS, right, right_rows, lambda i: tuple(c.values[i] for c in diya)),
    ):
        unpaired = np.setdiff1d(np.arange(len(own)), rows)
        if len(unpaired):
            found.differences.append(Difference(name, "", what, len(unpaired), key(unpaired[0])))
    in_order = np.argsort(left_rows)
    return left_rows[in_order], right_rows[in_order]


def is_same(values: np.ndarray, cells: Cells) -> np.ndarray:
    """Whether two key columns agree, row by row."""
    if values.dtype == object:
        return np.equal(values, cells.values).astype(bool)
    return bits(values) == bits(cells.values)


def as_key(values: np.ndarray) -> np.ndarray:
    """A key column that numpy can sort."""
    return values.astype(str) if values.dtype == object else bits(values)


def occurrence_keys(codes: np.ndarray, limit: int) -> np.ndarray:
    """Makes keys unique: key code and how often, below ``limit``, it has stood above."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.r_[0, np.flatnonzero(np.diff(ordered)) + 1] if len(codes) else np.empty(0, int)
    lengths = np.diff(np.r_[starts, len(codes)])
    nth = np.arange(len(codes)) - np.repeat(starts, lengths)
    keys = np.empty(len(codes), np.int64)
    keys[order] = ordered * limit + nth
    return keys
