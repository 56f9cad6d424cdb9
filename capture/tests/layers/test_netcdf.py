"""NetCDF-C and PnetCDF."""

import unittest

from harness import attributes, build, folder, in_order, inside, lines, run_mpi, run_serial

CLASSIC = """\
nc_create field.nc
nc_set_fill field.nc
nc_enddef field.nc
nc_put_var field 2048
nc_put_vara field 512
nc_get_var1 field 4
nc_sync field.nc
nc_close field.nc
nc_open file.nc done -2""".splitlines()

PARALLEL = """\
nc_create parallel.nc
nc_enddef parallel.nc
nc_put_vara field 1024
nc_var_par_access field
nc_put_vara field 1024
nc_close parallel.nc""".splitlines()

PNETCDF = """\
ncmpi_create steps.nc
ncmpi_enddef steps.nc
ncmpi_put_vara_all grid 256
ncmpi_put_vara_all series 128
ncmpi_iput_vara series 128
ncmpi_wait_all steps.nc
ncmpi_put_vara_all series 128
ncmpi_mput_vara_all grid 384
ncmpi_begin_indep_data steps.nc
ncmpi_get_var1 grid 8
ncmpi_end_indep_data steps.nc
ncmpi_close steps.nc""".splitlines()

PARALLEL_NETCDF = "/usr/lib/x86_64-linux-gnu/netcdf/mpi"  # Debian's belongs to Open MPI


class Serial(unittest.TestCase):
    def run_program(self, *arguments):
        return run_serial(build("cc", "netcdf.c", "-lnetcdf"), f"{folder()}/field.nc", *arguments)

    def test_classic_file(self):
        process = self.run_program("classic")
        self.assertEqual(lines(process, "nc_"), CLASSIC)
        self.assertEqual(attributes(process, "/field.nc")["nc:format"], "classic")

    def test_netcdf4_file_lies_on_hdf5(self):
        process = self.run_program()
        self.assertEqual(lines(process, "nc_"), [line for line in CLASSIC if "set_fill" not in line])
        self.assertEqual(attributes(process, "/field.nc")["nc:format"], "hdf5")
        [put] = [c for c in process.calls if c.function == "nc_put_var"]
        written = [(c.function, c.depth, c.done) for c in inside(process, put) if c.layer == "hdf5_dataset"]
        self.assertEqual(written, [("h5d_write", 1, 2048)])
        self.assertEqual(attributes(process, ":/field")["h5d:chunk"], "4,16")

    def test_shape_of_a_variable(self):
        variable = attributes(self.run_program("classic"), "field.nc:field")
        self.assertEqual((variable["nc:dims"], variable["nc:type_size"], variable["nc:record"]), ("8,64", "4", "false"))


class Parallel(unittest.TestCase):
    def test_netcdf4_by_all_ranks(self):
        flags = [f"-I{PARALLEL_NETCDF}/include", "-lnetcdf_mpi"]
        program = build("mpicc.openmpi", "netcdf_parallel.c", *flags)
        process = run_mpi("openmpi", 2, program, f"{folder()}/parallel.nc").rank(1)
        self.assertEqual(lines(process, "nc_"), PARALLEL)
        puts = [c for c in in_order(process) if c.function == "nc_put_vara"]
        self.assertEqual([c.collective for c in puts], ["", "collective"])
        layers = [c.layer for c in inside(process, puts[1]) if c.op == "write"]
        self.assertEqual(layers, ["hdf5_dataset", "mpiio", "posix"])

    def test_pnetcdf(self):
        program = build("mpicc.openmpi", "pnetcdf.c", "-lpnetcdf")
        process = run_mpi("openmpi", 2, program, f"{folder()}/steps.nc").rank(0)
        self.assertEqual(lines(process, "ncmpi_"), PNETCDF)
        self.assertEqual(attributes(process, ":series")["nc:record"], "true")
        [wait] = [c for c in process.calls if c.function == "ncmpi_wait_all"]
        moved = [(c.layer, c.done) for c in inside(process, wait) if c.op == "write"]
        self.assertEqual(moved, [("mpiio", 128), ("posix", 128)])

    def test_pnetcdf_from_fortran(self):
        flags = ["-I/usr/lib/x86_64-linux-gnu/fortran/gfortran-mod-15", "-lpnetcdf"]
        program = build("mpifort.openmpi", "pnetcdf_fortran.F90", *flags)
        process = run_mpi("openmpi", 2, program, f"{folder()}/steps.nc").rank(1)
        self.assertEqual(lines(process, "ncmpi_put"), ["ncmpi_put_vara_all grid 256"])


if __name__ == "__main__":
    unittest.main()
