"""The Python binding with a library without MPI: BLOCKIO_LIBRARY names it."""

import array
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import blockio  # noqa: E402


class Binding(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "field.raw"
        self.path.write_bytes(b"head" + array.array("i", range(20)).tobytes())

    def test_a_block_is_read_behind_a_header(self) -> None:
        with blockio.open(self.path) as file:
            plan = file.plan(blockio.Array((4, 5), "int32", offset_bytes=4), start=(1, 2), count=(2, 2))
            self.assertEqual(array.array("i", plan.read()).tolist(), [7, 8, 12, 13])
            self.assertIn("independent", plan.note())

    def test_memory_may_have_the_other_order_and_a_halo(self) -> None:
        with blockio.open(self.path) as file:
            plan = file.plan(
                blockio.Array((4, 5), "int32", offset_bytes=4),
                (0, 0),
                (2, 1),
                other_order=True,
                halo_low=(1, 0),
                periodic=(True, False),
            )
            self.assertEqual(array.array("i", plan.read()).tolist(), [15, 0, 5])

    def test_written_elements_are_read_again(self) -> None:
        with blockio.open(self.path, "write") as file:
            plan = file.plan_elements(blockio.Array((20,), "int32", byte_order="big", offset_bytes=4), [3, 1])
            plan.write(array.array("i", [300, 100]))
            self.assertEqual(array.array("i", plan.read()).tolist(), [300, 100])
        self.assertEqual(self.path.read_bytes()[8:12], (100).to_bytes(4, "big"))

    def test_errors_are_exceptions_with_text(self) -> None:
        with self.assertRaisesRegex(blockio.BlockioError, "No such file"):
            blockio.open(self.path.with_name("missing"))
        with blockio.open(self.path) as file:
            with self.assertRaisesRegex(blockio.BlockioError, "ends at 6 along index 1"):
                file.plan(blockio.Array((4, 5)), (0, 0), (4, 6))
            with self.assertRaisesRegex(blockio.BlockioError, "ends at byte 84"):
                file.plan(blockio.Array((100,)), (0,), (100,)).read()
            with self.assertRaisesRegex(ValueError, "a buffer of 3 bytes"):
                file.plan(blockio.Array((4,), "int8"), (0,), (4,)).read(bytearray(3))


if __name__ == "__main__":
    unittest.main()
