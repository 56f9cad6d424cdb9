"""HDF5, parallel under both MPIs and serial."""

import unittest

from harness import MPIS, attributes, build, folder, in_order, inside, lines, run_mpi, run_serial

PARALLEL = """\
h5f_create parallel.h5
h5g_create parallel.h5
h5d_create /results/plain
h5d_create /packed
h5d_write /results/plain 1024
h5d_write /packed 1024
h5d_read /results/plain 1024
h5d_read /results/plain 2048
h5d_write /results/plain 2048
h5a_create parallel.h5
h5a_write parallel.h5 4
h5a_close parallel.h5
h5d_close /packed
h5d_close /results/plain
h5f_close parallel.h5""".splitlines()

SERIAL = """\
h5f_create other.h5
h5d_create /growing
h5d_write /growing 800
h5d_set_extent /growing
h5d_read /growing 24
h5d_read /growing 24
h5d_read /growing
h5d_close /growing
h5f_close other.h5
h5f_create master.h5
h5d_open /growing
h5d_read /growing 1600
h5i_dec_ref_dataset /growing
h5d_open master.h5 done -5
h5f_open file.h5 done -5
h5i_dec_ref_file master.h5""".splitlines()

COLLECTIVE, INDEPENDENT = "collective", "independent"
ALL, REGULAR, IRREGULAR, POINTS, NONE = range(5)


def hdf5_flags(mpi):
    return [f"-I/usr/include/hdf5/{mpi}", f"-L/usr/lib/x86_64-linux-gnu/hdf5/{mpi}", "-lhdf5"]


class Parallel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recorded = {}
        for mpi in MPIS:
            program = build(f"mpicc.{mpi}", "hdf5_parallel.c", *hdf5_flags(mpi))
            cls.recorded[mpi] = run_mpi(mpi, 2, program, f"{folder()}/parallel.h5").rank(1)

    def each(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                yield self.recorded[mpi]

    def test_calls_objects_and_bytes(self):
        for process in self.each():
            self.assertEqual(lines(process, "h5"), PARALLEL)

    def test_a_dataset_belongs_to_its_file(self):
        for process in self.each():
            [path] = {c.path for c in process.calls if c.function == "h5d_write" and c.path.endswith("packed")}
            self.assertTrue(path.endswith("/parallel.h5:/packed"), path)

    def test_collective_and_independent_transfers(self):
        for process in self.each():
            made = [c.collective for c in in_order(process) if c.function in ("h5d_write", "h5d_read")]
            self.assertEqual(made, [COLLECTIVE, COLLECTIVE, INDEPENDENT, INDEPENDENT, COLLECTIVE])

    def test_why_a_collective_transfer_was_not_one(self):
        for process in self.each():
            cause = attributes(process, ":/results/plain").get("h5d:no_collective_cause")
            # H5D_MPIO_DATATYPE_CONVERSION; newer versions give further ones beside it.
            self.assertTrue(int(cause, 16) & 0x2, cause)
            self.assertNotIn("h5d:no_collective_cause", attributes(process, ":/packed"))

    def test_shape_of_the_selection(self):
        for process in self.each():
            shapes = [c.aux for c in in_order(process) if c.function in ("h5d_write", "h5d_read")]
            self.assertEqual(shapes, [REGULAR, REGULAR, REGULAR, ALL, REGULAR])

    def test_mpiio_and_posix_lie_inside(self):
        for process in self.each():
            read = [c for c in in_order(process) if c.function == "h5d_read"][0]
            layers = [(c.layer, c.op, c.depth, c.done) for c in inside(process, read) if c.op == "read"]
            self.assertEqual(layers, [("mpiio", "read", 1, 1024), ("posix", "read", 2, 1024)])

    def test_properties_of_the_file(self):
        for process in self.each():
            of_file = attributes(process, "/parallel.h5")
            self.assertEqual(of_file["h5f:driver"], "mpio")
            self.assertEqual(of_file["h5f:alignment"], "0,4096")
            self.assertEqual(of_file["h5f:coll_metadata_write"], "true")
            self.assertEqual(of_file["h5f:coll_metadata_read"], "false")
            self.assertRegex(of_file["h5:version"], r"^\d+\.\d+\.\d+$")

    def test_properties_of_datasets(self):
        for process in self.each():
            plain, packed = attributes(process, ":/results/plain"), attributes(process, ":/packed")
            self.assertEqual(
                (plain["h5d:layout"], plain["h5d:dims"], plain["h5d:type_size"]), ("contiguous", "8,64", "4")
            )
            self.assertNotIn("h5d:chunk", plain)
            self.assertEqual((packed["h5d:layout"], packed["h5d:chunk"]), ("chunked", "4,16"))
            self.assertEqual((packed["h5d:filters"], packed["h5d:fill"]), ("deflate", "never"))


class Serial(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        flags = ["-I/usr/include/hdf5/serial", "-L/usr/lib/x86_64-linux-gnu/hdf5/serial", "-lhdf5"]
        # Its exit code says that error stacks were left alone.
        cls.process = run_serial(build("cc", "hdf5_serial.c", *flags), str(folder()))

    def test_calls_objects_and_bytes_in_memory(self):
        self.assertEqual(lines(self.process, "h5"), SERIAL)

    def test_shape_of_the_selection(self):
        shapes = [c.aux for c in in_order(self.process) if c.function in ("h5d_write", "h5d_read")]
        self.assertEqual(shapes, [ALL, POINTS, IRREGULAR, NONE, ALL])

    def test_a_file_that_is_not_parallel_has_no_collective_transfers(self):
        self.assertEqual({c.collective for c in self.process.calls if c.layer == "hdf5_dataset"}, {""})
        self.assertEqual(attributes(self.process, "/other.h5")["h5f:driver"], "sec2")

    def test_a_dataset_behind_an_external_link_belongs_to_the_other_file(self):
        opened = [c.path for c in in_order(self.process) if c.function == "h5d_open" and c.done == 0]
        self.assertEqual([p.rsplit("/", 2)[-2] for p in opened], ["other.h5:"])

    def test_the_extent_is_that_of_last_time(self):
        growing = attributes(self.process, "other.h5:/growing")
        self.assertEqual((growing["h5d:dims"], growing["h5d:max_dims"]), ("200", "unlimited"))


class TwoLibraries(unittest.TestCase):
    def test_each_module_keeps_its_own(self):
        # Its exit code says that every call succeeded.
        program = build("mpicc.mpich", "two_hdf5.c", *hdf5_flags("mpich"), "-lnetcdf")
        process = run_serial(program, str(folder()))
        written = [line for line in lines(process, "h5d_write", "nc_put")]
        self.assertEqual(written, ["h5d_write /own 40", "nc_put_var theirs 40", "h5d_write /theirs 40"])


if __name__ == "__main__":
    unittest.main()
