"""The comparison notices what it has to notice: ``python -m unittest discover tests/peers``."""

from __future__ import annotations

import unittest

import numpy as np
from compare import EXTRA_ROWS, MISSING_ROWS, ORDER, VALUE, compare_tables
from diya_tables import Cells

RECORDED = {
    "file_id": np.array([1, 2, 3], "u8"),
    "rank": np.array([0, 1, -1]),
    "reads": np.array([7, -1, 0]),
    "f_read_time": np.array([0.1, 0.0, 2.5]),
    "f_open_end_timestamp": np.array([1.5, 0.0, 2.0]),
    "fastest_rank": np.array([0, 0, 0]),
}
#: What the contract makes of it: -1, a time stamp of 0 and a rank compared with nobody are null.
NULLS = {"reads": [0, 1, 0], "f_open_end_timestamp": [0, 1, 0], "fastest_rank": [1, 1, 0]}


def shown() -> dict[str, Cells]:
    """diya's table when it is right."""
    return {name: Cells(values.copy(), np.array(NULLS.get(name, [0, 0, 0]), bool)) for name, values in RECORDED.items()}


def differences(table: dict[str, Cells], recorded: dict | None = None) -> list[tuple[str, str]]:
    """Column and kind of what the comparison finds."""
    reference = {"posix": recorded or RECORDED}
    found = compare_tables(reference, {"posix": table}, is_complete=True)
    return [(d.column, d.what) for d in found.differences]


class Comparison(unittest.TestCase):
    """One behaviour per test."""

    def test_equal_tables_have_no_difference(self) -> None:
        self.assertEqual(differences(shown()), [])

    def test_one_bit_of_a_float_is_a_difference(self) -> None:
        table = shown()
        table["f_read_time"].values[0] = np.nextafter(0.1, 1)
        self.assertEqual(differences(table), [("f_read_time", VALUE)])

    def test_a_value_shown_where_null_belongs_is_a_difference(self) -> None:
        for column in NULLS:
            table = shown()
            table[column].is_null[:] = False
            self.assertEqual(differences(table), [(column, VALUE)])

    def test_a_null_in_place_of_a_zero_is_a_difference(self) -> None:
        for column in ("reads", "fastest_rank", "f_read_time"):
            table = shown()
            table[column].is_null[2] = True
            self.assertEqual(differences(table), [(column, VALUE)])

    def test_a_counter_the_record_version_lacks_must_be_null(self) -> None:
        lacking = {name: values for name, values in RECORDED.items() if name != "reads"}
        table = shown()
        table["reads"].is_null[:] = True
        self.assertEqual(differences(table, lacking), [])
        self.assertEqual(differences(shown(), lacking), [("reads", VALUE)])

    def test_rows_are_missed_and_found(self) -> None:
        pick = [0, 2]
        fewer = {n: Cells(c.values[pick], c.is_null[pick]) for n, c in shown().items()}
        self.assertEqual(differences(fewer), [("", MISSING_ROWS)])
        recorded = {name: values[pick] for name, values in RECORDED.items()}
        self.assertEqual(differences(shown(), recorded), [("", EXTRA_ROWS)])

    def test_the_order_of_the_log_counts(self) -> None:
        turned = {n: Cells(c.values[::-1], c.is_null[::-1]) for n, c in shown().items()}
        self.assertEqual(differences(turned), [("", ORDER)])

    def test_rows_of_the_same_key_are_paired_as_they_stand(self) -> None:
        doubled = {name: np.r_[values, values[:1]] for name, values in RECORDED.items()}
        doubled["reads"][3] = 9
        table = {n: Cells(doubled[n], np.r_[c.is_null, c.is_null[:1]]) for n, c in shown().items()}
        self.assertEqual(differences(table, doubled), [])

    def test_a_table_that_is_not_there_misses_its_rows(self) -> None:
        found = compare_tables({"posix": RECORDED}, {}, is_complete=True)
        self.assertEqual([d.what for d in found.differences], [MISSING_ROWS])


if __name__ == "__main__":
    unittest.main()
