"""The comparison of two engines finds what differs and nothing else."""

import unittest

from engines_equal import difference


class Difference(unittest.TestCase):
    def test_the_order_of_rows_is_free(self) -> None:
        self.assertIsNone(difference([(1, "a"), (2, "b")], [(2, "b"), (1, "a")]))

    def test_a_real_number_may_be_typed_as_an_integer(self) -> None:
        self.assertIsNone(difference([(1, 0.0)], [(1, 0)]))

    def test_the_last_digits_of_a_sum_are_free(self) -> None:
        self.assertIsNone(difference([(0.1 + 0.2,)], [(0.3,)]))

    def test_another_number_is_a_difference(self) -> None:
        self.assertIn("column 2", difference([(1, 0.3)], [(1, 0.3001)]))

    def test_an_integer_has_to_be_exact(self) -> None:
        self.assertIsNotNone(difference([(10**15,)], [(10**15 + 1,)]))

    def test_null_is_not_zero(self) -> None:
        self.assertIsNotNone(difference([(1, None), (2, 1.0)], [(1, 0.0), (2, 1.0)]))

    def test_a_row_that_is_there_twice_counts_twice(self) -> None:
        self.assertIsNotNone(difference([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)]))
        self.assertIn("3 rows", difference([("a",), ("a",), ("b",)], [("a",), ("b",)]))


if __name__ == "__main__":
    unittest.main()
