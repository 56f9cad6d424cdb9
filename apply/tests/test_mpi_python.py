"""mpi4py, whose MPI library is in no global scope, and the library of the MPI 5 ABI."""

import pathlib
import subprocess
import unittest

from layers import HERE, ORDERS, ROOT, SCRATCH, folder, run
from test_hdf5 import python

SETTINGS = "mpi_hint=cb_buffer_size:1048576;mpi_collect=10000"
HINT = {("cb_buffer_size:1048576", "")}
SCRIPT = str(ROOT / "capture/tests/layers/mpi4py_io.py")


def wheel(name: str) -> str:
    return str(pathlib.Path(python()).with_name(name))


class Python(unittest.TestCase):
    def check(self, mpi: str, options: tuple[str, ...] = ()) -> None:
        for order in ORDERS:
            with self.subTest(mpi=mpi, order=order):
                path = folder() / "f"
                result = run([python(), SCRIPT, str(path)], SETTINGS, order, mpi, 2, options)
                self.assertEqual(path.read_bytes(), b"x" * 2000)
                if order == "alone":
                    self.assertEqual(result.applied("mpi_hint"), HINT)
                    ((_, reason),) = result.applied("mpi_collect")
                    self.assertIn("MPI_THREAD_MULTIPLE", reason)  # mpi4py asks for it

    def test_mpi4py_with_the_mpich_of_its_wheel(self) -> None:
        self.check(wheel("mpirun"))

    def test_mpi4py_with_open_mpi(self) -> None:
        self.check("openmpi", ("-x", "MPI4PY_MPIABI=openmpi"))


class Abi(unittest.TestCase):
    def test_hints_arrive_and_nothing_is_gathered(self) -> None:
        program = str(SCRATCH / "mpi-abi")
        subprocess.run([wheel("mpicc_abi"), "-o", program, HERE / "mpi_program.c"], check=True)
        result = run([program, "hints", str(folder() / "f"), "cb_buffer_size"], SETTINGS, "alone", wheel("mpirun"), 2)
        self.assertIn("open cb_buffer_size 1048576", result.out)
        self.assertEqual(result.applied("mpi_hint"), HINT)
        ((_, reason),) = result.applied("mpi_collect")
        self.assertIn("MPI 5 ABI", reason)


if __name__ == "__main__":
    unittest.main()
