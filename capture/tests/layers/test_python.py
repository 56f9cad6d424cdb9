"""Libraries that Python loads where RTLD_NEXT does not find them, and the MPI 5
ABI. DIYA_LAYERS_VENV names the environment of requirements.txt; without it,
one is made in the cache folder."""

import functools
import os
import pathlib
import subprocess
import sys
import unittest

from harness import (
    HERE,
    SCRATCH,
    Recorded,
    attributes,
    folder,
    in_order,
    inside,
    library,
    lines,
    run_mpi,
    run_serial,
    segment_folder,
)

ABI = 3  # enum diya_mpi_family

PYTHON = """\
h5f_create h5py.h5
h5d_create /group/values
h5d_write /group/values 1600
h5i_dec_ref_dataset /group/values
h5i_dec_ref_file h5py.h5
h5f_open h5py.h5
h5d_open /group/values
h5d_read /group/values 8000
h5i_dec_ref_dataset /group/values
h5i_dec_ref_file h5py.h5""".splitlines()

NETCDF4 = """\
nc_create netcdf4.nc
nc_put_vara field 200
nc_get_vara field 4
nc_close netcdf4.nc""".splitlines()

MPI4PY = """\
mpi_init_thread -
mpi_file_open mpi4py
mpi_file_write_at_all mpi4py @1000 1000
mpi_file_read_at mpi4py @1000 1000
mpi_file_iwrite_at mpi4py @1000 1000
mpi_wait mpi4py
mpi_file_read_at mpi4py @1000 3000000000 done 1000
mpi_file_close mpi4py
mpi_finalize -""".splitlines()


@functools.cache
def environment() -> pathlib.Path:
    given = os.environ.get("DIYA_LAYERS_VENV")
    if given:
        return pathlib.Path(given)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    venv = cache / "diya" / "layers-venv"
    if not (venv / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin/pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        (venv / "complete").touch()
    return venv


def run_wheel_mpi(*command: str) -> Recorded:
    """With the launcher and libraries of the mpich wheel."""
    directory = segment_folder()
    pairs = ["-genv", "LD_PRELOAD", library(), "-genv", "DIYA_DIR", str(directory)]
    variables = {**os.environ, "LD_LIBRARY_PATH": str(environment() / "lib")}
    launcher = str(environment() / "bin" / "mpiexec")
    done = subprocess.run(
        [launcher, "-n", "2", *pairs, *command], env=variables, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return Recorded(directory, done.stderr)


class Wheels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.process = run_serial(str(environment() / "bin/python3"), str(HERE / "python_io.py"), str(folder()))

    def test_h5py(self):
        wanted = ("h5f_create", "h5f_open", "h5d_", "h5i_")
        made = [line for line in lines(self.process, *wanted) if "h5py.h5" in line or "/group/values" in line]
        self.assertEqual(made, PYTHON)

    def test_netcdf4(self):
        made = [
            line for line in lines(self.process, "nc_") if not line.startswith(("nc_enddef", "nc_redef", "nc_sync"))
        ]
        self.assertEqual(made, NETCDF4)

    def test_both_copies_of_hdf5_keep_to_themselves(self):
        of_netcdf = [c for c in self.process.calls if c.layer == "hdf5_dataset" and c.path.endswith(":/field")]
        self.assertTrue(of_netcdf)
        for call in of_netcdf:
            self.assertIn("netcdf4.nc", call.path)
        self.assertTrue(attributes(self.process, "/h5py.h5")["h5:version"].startswith("2."))

    def test_posix_lies_inside(self):
        [read] = [c for c in in_order(self.process) if c.function == "h5d_read" and "h5py" in c.path]
        self.assertGreater(len([c for c in inside(self.process, read) if c.layer == "posix" and c.op == "read"]), 0)


class Mpi(unittest.TestCase):
    def test_mpi4py(self):
        python = str(environment() / "bin/python3")
        process = run_wheel_mpi(python, str(HERE / "mpi4py_io.py"), f"{folder()}/mpi4py").rank(1)
        self.assertEqual(lines(process, "mpi_"), MPI4PY)

    def test_mpi4py_on_a_library_without_the_functions_of_mpi_4(self):
        python = str(environment() / "bin/python3")
        script, file = str(HERE / "mpi4py_io.py"), f"{folder()}/mpi4py"
        process = run_mpi("openmpi", 2, python, script, file, MPI4PY_MPIABI="openmpi").rank(1)
        self.assertEqual(lines(process, "mpi_"), MPI4PY)

    def test_the_mpi_5_abi(self):
        program = SCRATCH / "mpiio-abi"
        subprocess.run([environment() / "bin/mpicc_abi", "-o", program, HERE / "mpiio.c"], check=True)
        process = run_wheel_mpi(str(program), str(folder())).rank(1)
        self.assertEqual(process.header["mpi_family"], ABI)
        from test_mpiio import BLOCKING, NONBLOCKING, VIEWS

        made = lines(process, "mpi_")
        for name, expected in (("blocking", BLOCKING), ("views", VIEWS), ("nonblocking", NONBLOCKING)):
            self.assertEqual([line for line in made if line.split()[1] == name], expected)
        # In the numbers of the other libraries: create, read and write.
        self.assertEqual(attributes(process, "/blocking")["mpi:amode"], "9")


if __name__ == "__main__":
    unittest.main()
