"""MPI-IO under MPICH and Open MPI, with one library, from C and Fortran."""

import unittest

from harness import MPI_FAMILY, MPIS, attributes, build, folder, in_order, inside, library, lines, run_mpi

# Of rank 1 of 2; mpiio.c says what it does.
BLOCKING = """\
mpi_file_open blocking
mpi_file_write_at_all blocking @1024 1024
mpi_file_write_at blocking @2560 512
mpi_file_seek blocking @1024
mpi_file_read blocking @1024 400
mpi_file_read blocking @1424 624
mpi_file_read_at blocking @2972 1024 done 100
mpi_file_seek blocking @0
mpi_file_read_all blocking @0 1024
mpi_file_write_at blocking @4112 16
mpi_file_sync blocking
mpi_file_set_size blocking 4096
mpi_file_close blocking""".splitlines()

VIEWS = """\
mpi_file_open views
mpi_file_set_view views @116
mpi_file_write_at_all views @148 16
mpi_file_write views @116 32
mpi_file_write views @180 16
mpi_file_close views""".splitlines()

NONBLOCKING = """\
mpi_file_open nonblocking
mpi_file_iwrite_at nonblocking @1024 1024
mpi_wait nonblocking
mpi_file_iwrite_at nonblocking @1024 512
mpi_file_iwrite_at nonblocking @1536 512
mpi_waitall nonblocking
mpi_file_iread_at nonblocking @1024 1024
mpi_test nonblocking
mpi_file_close nonblocking""".splitlines()

SPLIT_AND_SHARED = """\
mpi_file_open split
mpi_file_write_at_all_begin split @64 64
mpi_file_write_at_all_end split
mpi_file_read_at_all_begin split @64 64
mpi_file_read_at_all_end split
mpi_file_close split
mpi_file_open shared
mpi_file_write_shared shared 64
mpi_file_seek_shared shared @0
mpi_file_write_ordered shared 64
mpi_file_close shared""".splitlines()

FORTRAN = """\
mpi_init -
mpi_file_open fortran
mpi_file_write_at_all fortran @1024 1024
mpi_file_read_at fortran @1024 1024
mpi_file_iread_at fortran @1024 512
mpi_wait fortran
mpi_file_iwrite_at fortran @1024 256
mpi_file_iwrite_at fortran @1536 256
mpi_waitall fortran
mpi_file_set_view fortran @64
mpi_file_write_all fortran @64 64
mpi_file_write fortran @192 64
mpi_file_sync fortran
mpi_file_close fortran
mpi_finalize -""".splitlines()


class C(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recorded = {mpi: run_mpi(mpi, 2, build(f"mpicc.{mpi}", "mpiio.c"), str(folder())) for mpi in MPIS}

    def each(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                yield mpi, self.recorded[mpi].rank(1)

    def of(self, process, name):
        return [line for line in lines(process, "mpi_") if line.split()[1] == name]

    def test_rank_size_and_family_are_known(self):
        for mpi, process in self.each():
            header = process.header
            self.assertEqual((header["mpi_rank"], header["mpi_size"], header["mpi_family"]), (1, 2, MPI_FAMILY[mpi]))

    def test_offsets_are_bytes_from_the_start_of_the_file(self):
        for _, process in self.each():
            self.assertEqual(self.of(process, "blocking"), BLOCKING)

    def test_a_view_is_seen_through(self):
        for _, process in self.each():
            self.assertEqual(self.of(process, "views"), VIEWS)
            self.assertEqual(
                attributes(process, "/views")["mpi:view"],
                "displacement=116 etype_size=4 filetype_size=64 filetype_extent=112",
            )

    def test_the_pointer_in_a_view_with_holes_is_followed(self):
        for _, process in self.each():
            calls = [c for c in in_order(process) if c.path.endswith("/holes")]
            written = [c.offset for c in calls if c.function == "mpi_file_write"]
            self.assertEqual(written, [8 + 16 * at for at in range(40)])
            self.assertEqual(
                [c.offset for c in calls if c.function == "mpi_file_read"], [8 + 16 * at for at in (10, 11, 12, 12)]
            )

    def test_only_requests_of_files_are_waited_for(self):
        for _, process in self.each():
            self.assertEqual(self.of(process, "nonblocking"), NONBLOCKING)
            completed = [c.aux for c in in_order(process) if c.function == "mpi_waitall"]
            self.assertEqual(completed, [2])

    def test_split_and_shared_pointer_calls(self):
        for _, process in self.each():
            self.assertEqual(self.of(process, "split") + self.of(process, "shared"), SPLIT_AND_SHARED)

    def test_a_failure_says_why(self):
        for mpi, _ in self.each():
            for rank in (0, 1):
                failed = [c for c in self.recorded[mpi].rank(rank).calls if c.path.endswith("/no/such/folder")]
                self.assertEqual([c.done for c in failed if c.function == "mpi_file_open"], [-2])

    def test_deletion_is_of_the_rank_that_asked(self):
        for mpi, _ in self.each():
            deleted = [lines(self.recorded[mpi].rank(rank), "mpi_file_delete") for rank in (0, 1)]
            self.assertEqual(deleted, [["mpi_file_delete shared"], []])

    def test_posix_calls_lie_inside(self):
        for _, process in self.each():
            write = [c for c in in_order(process) if c.function == "mpi_file_write_at"][0]
            moved = [(c.op, c.offset, c.done, c.depth) for c in inside(process, write) if c.op == "write"]
            self.assertEqual(moved, [("write", 2560, 512, 1)])

    def test_mode_and_communicator_of_an_opening(self):
        for _, process in self.each():
            of_file = attributes(process, "/blocking")
            self.assertEqual((of_file["mpi:amode"], of_file["mpi:comm_size"]), ("9", "2"))

    def test_hints_are_those_in_force(self):
        of_file = attributes(self.recorded["mpich"].rank(0), "/blocking")
        self.assertEqual(of_file["hint:cb_buffer_size"], "1048576")
        self.assertEqual(of_file["hint:cb_nodes"], "1")  # nobody set it
        self.assertIn("hint:romio_ds_write", of_file)

    def test_bytes_are_what_the_program_moved(self):
        for _, process in self.each():
            data = [c for c in process.calls if c.function.startswith("mpi_file_") and c.op in ("read", "write")]
            moved = {name: sum(c.done for c in data if c.path.endswith(f"/{name}")) for name in ("blocking", "views")}
            self.assertEqual(moved, {"blocking": 1024 + 512 + 400 + 624 + 100 + 1024 + 16, "views": 16 + 32 + 16})


class Fortran(unittest.TestCase):
    def test_all_dialects_give_the_same_record(self):
        for mpi in MPIS:
            for dialect in ("MPIF_H", "USE_MPI", "USE_MPI_F08"):
                with self.subTest(mpi=mpi, dialect=dialect):
                    program = build(f"mpifort.{mpi}", "mpiio_fortran.F90", f"-D{dialect}")
                    recorded = run_mpi(mpi, 2, program, f"{folder()}/fortran")
                    process = recorded.rank(1)
                    self.assertEqual(lines(process, "mpi_"), FORTRAN)
                    self.assertEqual(attributes(process, "/fortran")["mpi:comm_size"], "2")
                    [write] = [c for c in process.calls if c.function == "mpi_file_write_at_all"]
                    self.assertEqual(write.depth, 0)


class Killed(unittest.TestCase):
    WRITES, RANKS = 25_000, 4

    def test_every_call_that_returned_is_there(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                program = build(f"mpicc.{mpi}", "killed.c")
                recorded = run_mpi(mpi, self.RANKS, program, f"{folder()}/killed", str(self.WRITES), is_killed=True)
                for rank in range(self.RANKS):
                    made = [c for c in recorded.rank(rank).calls if c.path.endswith("/killed") and c.op == "write"]
                    offsets = [(rank * self.WRITES + i) * 8 for i in range(self.WRITES)]
                    for layer in ("mpiio", "posix"):
                        self.assertEqual([c.offset for c in made if c.layer == layer], offsets)


class Openings(unittest.TestCase):
    def test_alone_is_independent_and_a_failed_opening_failed(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                where = folder()
                recorded = run_mpi(mpi, 2, build(f"mpicc.{mpi}", "openings.c"), str(where))
                opened = [c for c in recorded.rank(1).calls if c.function == "mpi_file_open"]
                names = [
                    (c.path.rsplit("/", 1)[-1], c.collective, c.done) for c in sorted(opened, key=lambda c: c.start)
                ]
                self.assertEqual(names, [("together", "", 0), ("alone1", "independent", 0), ("missing", "", -2)])
                moved = [
                    (c.requested, c.done)
                    for c in recorded.rank(1).calls
                    if c.function in ("mpi_file_read_at", "mpi_file_write_at")
                ]
                self.assertEqual(moved, [(100, 100), (256, 50)], "the status is ignored by the program only")


class OtherTools(unittest.TestCase):
    def test_a_profiling_tool_in_the_same_process_sees_the_calls_too(self):
        tool = build("cc", "profiling_tool.c", "-shared", "-fPIC")
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                program = build(f"mpicc.{mpi}", "mpiio.c")
                recorded = run_mpi(mpi, 2, program, str(folder()), preload=f"{library()}:{tool}")
                self.assertEqual(recorded.stderr.count("tool saw 7"), 2)
                opened = [c for c in recorded.rank(0).calls if c.function == "mpi_file_open"]
                self.assertEqual(len(opened), 7)

    def test_a_tool_in_front_calls_the_profiling_names_and_nothing_is_missing(self):
        tool = build("cc", "profiling_tool.c", "-shared", "-fPIC")
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                program = build(f"mpicc.{mpi}", "mpiio.c")
                recorded = run_mpi(mpi, 2, program, str(folder()), preload=f"{tool}:{library()}")
                process = recorded.rank(0)
                self.assertEqual(len([c for c in process.calls if c.function == "mpi_file_open"]), 7)
                sizes = [c.requested for c in in_order(process) if c.function == "mpi_file_write_at_all"]
                self.assertEqual(sizes, [1024, 16])


if __name__ == "__main__":
    unittest.main()
