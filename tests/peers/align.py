"""Finds the rows of two tables that belong together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from diya_tables import Cells


@dataclass
class Pairs:
    """Row numbers that belong together, in the order of the reference, and the rest."""

    reference: np.ndarray
    diya: np.ndarray
    missing: np.ndarray
    extra: np.ndarray


def align(reference: list[np.ndarray], diya: list[Cells]) -> Pairs | None:
    """Pair rows by their key columns; ``None`` when they already stand in line.

    Rows with the same key are paired in the order in which they stand.
    """
    rows = len(reference[0]), len(diya[0].values)
    columns = list(zip(reference, diya, strict=True))
    if rows[0] == rows[1] and all(is_same(*column).all() for column in columns):
        return None
    codes = np.zeros(sum(rows), np.int64)
    for values, cells in columns:
        both = np.concatenate([as_key(values), as_key(cells.values)])
        codes = codes * (len(both) + 1) + np.unique(both, return_inverse=True)[1]
        codes = np.unique(codes, return_inverse=True)[1]
    parts = codes[: rows[0]], codes[rows[0] :]
    left, right = (occurrence_keys(part, len(codes)) for part in parts)
    _, left_rows, right_rows = np.intersect1d(left, right, return_indices=True)
    in_order = np.argsort(left_rows)
    return Pairs(
        left_rows[in_order],
        right_rows[in_order],
        np.setdiff1d(np.arange(rows[0]), left_rows),
        np.setdiff1d(np.arange(rows[1]), right_rows),
    )


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


def bits(values: np.ndarray) -> np.ndarray:
    """64 bits of each number, so that -0.0 and NaN compare as what they are."""
    if values.dtype.kind == "f":
        return np.ascontiguousarray(values, "f8").view("u8")
    return values.astype("i8" if values.dtype.kind != "u" else "u8").view("u8")
