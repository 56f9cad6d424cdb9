"""A documented loss excuses just what it says."""

from __future__ import annotations

import unittest

import numpy as np
from compare import MISSING_ROWS, VALUE, Difference
from convert_losses import loss_of

NULL, KNOWN = np.array([True]), np.array([False])


def value(table: str, column: str, reference, shown, is_null) -> Difference:
    """One cell that differs."""
    cells = np.array([reference]), np.array([shown])
    return Difference(table, column, VALUE, 1, (), *cells, is_null)


class LossOf(unittest.TestCase):
    def test_a_time_that_was_not_recorded_may_become_zero(self):
        self.assertIsNotNone(loss_of(value("hdf5_file", "f_meta_time", 0.0, 0.0, NULL)))

    def test_a_time_that_was_recorded_may_not(self):
        self.assertIsNone(loss_of(value("hdf5_file", "f_meta_time", 0.0, 1.5, KNOWN)))

    def test_a_count_may_not_become_zero(self):
        self.assertIsNone(loss_of(value("posix", "writes", 0, 0, NULL)))

    def test_the_run_time_may_be_one_second_less_and_no_other(self):
        self.assertIsNotNone(loss_of(value("job", "run_time_s", 4.0, 5.0, KNOWN)))
        self.assertIsNone(loss_of(value("job", "run_time_s", 4.0, 4.5, KNOWN)))

    def test_only_names_of_heat_maps_may_be_added(self):
        heatmap = Difference("file", "", MISSING_ROWS, 1, (16592106915301738621,))
        self.assertIsNotNone(loss_of(heatmap))
        self.assertIsNone(loss_of(Difference("file", "", MISSING_ROWS, 1, (7,))))

    def test_a_cut_command_line_is_the_start_of_the_whole(self):
        whole = "x" * 3031
        cut = "x" * 3004 + "<TRUNCATED>"
        self.assertIsNotNone(loss_of(value("job", "command_line", cut, whole, KNOWN)))
        self.assertIsNone(loss_of(value("job", "command_line", cut, "y" + whole, KNOWN)))


if __name__ == "__main__":
    unittest.main()
