"""mpi4py, whose MPI library is in no global scope, and the library of the MPI 5 ABI."""

import pathlib
import subprocess
import unittest

from layers import HERE, ORDERS, ROOT, SCRATCH, folder, run
from test_hdf5 import python

SETTINGS = "mpi_hint=cb_buffer_size:1048576;mpi_collect=10000"
HINT = {("cb_buffer_size:1048576", "")}
STOPPED = "the program uses non-blocking calls on it"
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
                    # mpi4py asks for MPI_THREAD_MULTIPLE.
                    self.assertEqual(result.applied("mpi_collect"), {("10000", ""), ("10000", STOPPED)})

    def test_mpi4py_with_the_mpich_of_its_wheel(self) -> None:
        self.check(wheel("mpirun"))

    def test_mpi4py_with_open_mpi(self) -> None:
        self.check("openmpi", ("-x", "MPI4PY_MPIABI=openmpi"))


class Abi(unittest.TestCase):
    def test_hints_arrive_and_writes_are_gathered(self) -> None:
        program = str(SCRATCH / "mpi-abi")
        subprocess.run([wheel("mpicc_abi"), "-o", program, HERE / "mpi_program.c"], check=True)
        result = run([program, "hints", str(folder() / "f"), "cb_buffer_size"], SETTINGS, "alone", wheel("mpirun"), 2)
        self.assertIn("open cb_buffer_size 1048576", result.out)
        self.assertEqual(result.applied("mpi_hint"), HINT)
        for what, size in (("strided", 2 * 50 * 512), ("view", 2 * 300 * 4), ("threads", 3 * 200 * 8)):
            plain, path = folder() / "f", folder() / "f"
            run([program, what, str(plain), "50"], "", "", wheel("mpirun"), 2)
            result = run([program, what, str(path), "50"], "mpi_collect=100000,always", "alone", wheel("mpirun"), 2)
            self.assertEqual(result.applied("mpi_collect"), {("100000,always", "")})
            self.assertEqual(path.read_bytes(), plain.read_bytes())
            self.assertEqual(path.stat().st_size, size)


if __name__ == "__main__":
    unittest.main()
