"""Settings of MPI-IO on programs that are not changed: hints arrive, results stay the same."""

import filecmp
import os
import pathlib
import subprocess
import unittest
from array import array

from layers import AS_ROOT, HERE, LIBRARY, MPIS, ORDERS, SCRATCH, Result, build, folder, run, witness

RANKS = 4
SEEDS = int(os.environ.get("DIYA_SEEDS", "4"))
COLLECT = "mpi_collect=1000000,always"
# Buffers that are always, sometimes and never too small, by the names of the files.
SIZES = "mpi_collect=150,always@*/small*;mpi_collect=900@*/medium*;mpi_collect=1000000,always@*/large*"
ROMIO_OF_OPENMPI = ("--mca", "io", "romio321")
HINTS = "mpi_hint=cb_buffer_size:1048576;mpi_hint=cb_nodes:2;mpi_hint=nonsense:5;mpi_hint=bad;mpi_hint=cb_buffer_size:7"
KEYS = ("cb_buffer_size", "cb_nodes", "nonsense")


def program(mpi: str, source: str = "mpi_program.c") -> str:
    return build(f"mpicc.{mpi}", source, "-Wall", "-Werror")


def ask(mpi: str, what: str, path: pathlib.Path | str, *rest: str, settings: str, order: str = "alone") -> Result:
    return run([program(mpi), what, str(path), *rest], settings, order, mpi, RANKS)


class Hints(unittest.TestCase):
    def test_hints_arrive_and_those_of_the_program_stay(self) -> None:
        for mpi in MPIS:
            for order in ORDERS:
                with self.subTest(mpi=mpi, order=order):
                    seen = ask(mpi, "hints", folder() / "f", *KEYS, settings=HINTS, order=order).out.splitlines()
                    self.assertEqual(seen[0], "own 1")
                    self.assertIn("open cb_buffer_size 1048576", seen)
                    self.assertIn("view cb_buffer_size 1048576", seen)
                    self.assertIn("open cb_nodes 1", seen)
                    if mpi == "mpich":  # Open MPI takes no hints after the opening
                        self.assertIn("again cb_buffer_size 65536", seen)

    def test_the_account_names_each_hint(self) -> None:
        told = ask("mpich", "hints", folder() / "f", *KEYS, settings=HINTS).applied("mpi_hint")
        expected = {
            ("cb_buffer_size:1048576", ""),
            ("cb_nodes:2", "the program sets this hint itself"),
            ("nonsense:5", "the MPI library ignores this key"),
            ("bad", "it is not KEY:VALUE"),
        }
        self.assertEqual(told, expected)

    def test_texts_that_are_too_long_do_not_end_the_program(self) -> None:
        settings = f"mpi_hint={'k' * 300}:1;mpi_hint=key:{'v' * 2000}"
        for mpi in MPIS:
            reasons = {
                why for _, why in ask(mpi, "hints", folder() / "f", *KEYS, settings=settings).applied("mpi_hint")
            }
            self.assertLessEqual(reasons, {"it is longer than this MPI library allows", "it is not KEY:VALUE"})


class Collect(unittest.TestCase):
    def compare(self, mpi: str, orders: tuple[str, ...], *more: str, options: tuple[str, ...] = ()) -> None:
        command = [program(mpi, "mpi_random.c")]
        before = folder()
        run([*command, str(before), str(SEEDS), *more], "", "", mpi, RANKS, options)
        for order in orders:
            with self.subTest(mpi=mpi, order=order, options=options):
                after = folder()
                run([*command, str(after), str(SEEDS), *more], SIZES, order, mpi, RANKS, options)
                names = sorted(path.name for path in before.iterdir())
                self.assertEqual(len(names), 3 * SEEDS + RANKS)
                self.assertEqual(filecmp.cmpfiles(before, after, names, shallow=False)[0], names)

    def test_random_calls_have_the_same_files_and_answers(self) -> None:
        self.compare("mpich", ORDERS, "all")
        self.compare("openmpi", ORDERS)
        self.compare("openmpi", ORDERS[:1], "all", options=ROMIO_OF_OPENMPI)

    def test_sizes_and_positions_are_those_of_the_program(self) -> None:
        for mpi in MPIS:
            plain, applied = (ask(mpi, "sizes", folder() / "f", settings=s).out for s in ("", COLLECT))
            self.assertEqual(applied, plain)

    def test_a_delayed_error_is_that_of_the_call_that_writes(self) -> None:
        full = [ask("mpich", "errors", "/dev/full", settings=s).out for s in ("", COLLECT)]
        self.assertEqual(full, ["write 1 view 0 negative 1 close 0\n", "write 0 view 1 negative 1 close 0\n"])
        # OMPIO 4.1 answers success to writes that fail, collective or not.
        full = [ask("openmpi", "errors", "/dev/full", settings=s).out for s in ("", COLLECT)]
        self.assertEqual(*full)
        for mpi in MPIS:
            plain, applied = (ask(mpi, "errors", folder() / "f", settings=s).out for s in ("", COLLECT))
            self.assertEqual(applied, plain)

    def test_a_file_that_is_not_closed_is_written(self) -> None:
        for mpi in MPIS:
            path = folder() / "f"
            ask(mpi, "unclosed", path, settings=COLLECT)
            self.assertEqual(path.read_bytes(), b"eight by" * 10 * RANKS)

    def test_a_program_without_its_end_has_written(self) -> None:
        for mpi in MPIS:
            path = folder() / "f"
            command = [program(mpi), "unfinished", str(path)]
            run(command, COLLECT, "alone", mpi, RANKS, may_fail=True)
            self.assertEqual(path.read_bytes(), (b"eight by" + bytes(8)) * 9 + b"eight by")

    def test_one_rank_is_refused(self) -> None:
        for mpi in MPIS:
            result = run([program(mpi), "strided", str(folder() / "f"), "5"], COLLECT, "alone", mpi, 1)
            self.assertEqual(result.applied("mpi_collect"), {("1000000,always", "one rank opens it")})

    def test_reads_cannot_wait_for_other_ranks(self) -> None:
        """Ranks that read in turn: with collective calls in place of theirs, the first one waits for ever."""
        path = folder() / "f"
        path.write_bytes(array("i", [4, 8, 12, 16]).tobytes())
        for mpi in MPIS:
            for how, reason in (
                ("alone", ""),
                ("readonly", "it is opened for reading: a read that waits for other ranks can wait for ever"),
            ):
                result = ask(mpi, "turns", path, how, settings=COLLECT)
                self.assertEqual(result.out, "last 16\n")
                self.assertEqual(result.applied("mpi_collect"), {("1000000,always", reason)})
        waits = run([program("mpich"), "turns", str(path), "together"], "", "", "mpich", RANKS, may_fail=True)
        self.assertNotIn("last", waits.out)

    def test_pnetcdf_has_no_handle_that_ranks_could_write_through_together(self) -> None:
        path = folder() / "f"
        flags = ("-Wall", "-Werror", "-lpnetcdf")
        shown = build("mpicc.openmpi", "pnetcdf_handles.c", "-DSHOW", "-rdynamic", *flags)
        self.assertEqual(run([shown, str(path)], "", "", "openmpi", 2).out, "opened by 2\nopened by 1\n")
        plain = path.read_bytes()
        writer = build("mpicc.openmpi", "pnetcdf_handles.c", *flags)
        result = run([writer, str(path)], COLLECT, "alone", "openmpi", 2)
        self.assertEqual(path.read_bytes(), plain)
        reasons = {why for _, why in result.applied("mpi_collect")}
        self.assertEqual(reasons, {"one rank opens it", "PnetCDF reads what another rank wrote without MPI_File_sync"})

    def test_threads_of_a_rank_do_not_wait_for_other_ranks(self) -> None:
        for mpi in MPIS:
            path = folder() / "f"
            result = ask(mpi, "threads", path, settings=COLLECT)
            self.assertEqual(result.out, "")
            pieces = [b"eight by"] * 200 * RANKS + [b"t%06d\0" % i for i in range(200)]
            self.assertEqual(path.read_bytes(), b"".join(pieces))
            self.assertEqual(result.applied("mpi_collect"), {("1000000,always", "")})

    def test_views_and_data_with_holes(self) -> None:
        for mpi, options in (("mpich", ()), ("openmpi", ()), ("openmpi", ROMIO_OF_OPENMPI)):
            plain, path = folder() / "f", folder() / "f"
            command = [program(mpi), "view"]
            run([*command, str(plain)], "", "", mpi, RANKS, options)
            result = run([*command, str(path)], COLLECT, "recorder behind", mpi, RANKS, options)
            self.assertEqual(array("i", path.read_bytes()).tolist(), list(range(300 * RANKS)))
            self.assertEqual(path.read_bytes(), plain.read_bytes())
            self.assertEqual(result.calls("mpi_file_write"), {"mpi_file_write_at_all": RANKS})

    def test_open_mpi_on_several_nodes_needs_the_parameter_that_names_the_variables(self) -> None:
        """Two nodes are two host names here: the agent that reaches a node is `sh`."""
        agent = SCRATCH / "agent"
        agent.write_text('#!/bin/sh\nshift\nexec sh -c "$*"\n')
        agent.chmod(0o755)
        hosts = ("--host", "127.0.0.1:1,127.0.0.2:1", "--mca", "plm_rsh_agent", str(agent))
        command = [program("openmpi"), "strided", str(folder() / "f"), "20"]
        ((_, reason),) = run(command, COLLECT, "alone", "openmpi", 2, hosts).applied("mpi_collect")
        self.assertIn("mpirun of Open MPI", reason)
        told = folder() / "told"
        given = {"LD_PRELOAD": f"{LIBRARY}:{witness()}", "DIYA_APPLY": COLLECT, "TOLD": str(told)}
        named = {"OMPI_MCA_mca_base_env_list": ";".join(given)}
        started = ["mpirun.openmpi", "-n", "2", *hosts, *command]
        subprocess.run(started, env={**os.environ, **AS_ROOT, **given, **named}, check=True, capture_output=True)
        self.assertEqual({line.split("\t")[2] for line in told.read_text().splitlines()}, {""})

    def test_ranks_stop_where_it_does_not_pay(self) -> None:
        """One write of some microseconds is cheaper than a collective call."""
        slow = ("1000000", "collective writes took longer than the writes of the program")
        for mpi in MPIS:
            stopped = False
            for _ in range(4):  # on a busy machine, a write may take long
                path = folder() / "f"
                result = ask(mpi, "sparse", path, settings="mpi_collect=1000000")
                self.assertEqual(path.read_bytes(), b"eight by" * 40 * RANKS)
                stopped = stopped or slow in result.applied("mpi_collect")
            self.assertTrue(stopped, mpi)
            told = ask(mpi, "sparse", folder() / "f", settings=COLLECT).told
            self.assertEqual({tuple(line[2:3] + line[5:]) for line in told}, {("", "40", "30", "320")})

    def test_the_recorder_sees_what_is_issued(self) -> None:
        for mpi in MPIS:
            result = ask(mpi, "strided", folder() / "f", "100", settings=COLLECT, order="recorder behind")
            writes = {"mpi_file_write_at_all": RANKS}
            self.assertEqual({k: v for k, v in result.calls("mpi_file_").items() if "write" in k}, writes)
            told = ask(mpi, "strided", folder() / "f", "100", settings=COLLECT).told
            self.assertEqual({tuple(line[4:]) for line in told}, {("1", "100", "1", "51200")})


class Gathered(unittest.TestCase):
    def test_of_bytes_written_twice_the_last_ones_count(self) -> None:
        source = str(HERE.parent / "src/mpi_gather.c")
        command = build("cc", "gather.c", source, "-fsanitize=address,undefined", "-Wall", "-Werror")
        self.assertEqual(run([command], "").out, "gathered\n")


class Fortran(unittest.TestCase):
    def test_all_dialects(self) -> None:
        for mpi in MPIS:
            for dialect in ("MPIF_H", "USE_MPI", "USE_MPI_F08"):
                command = [build(f"mpifort.{mpi}", "mpi_fortran.F90", f"-D{dialect}", "-fallow-argument-mismatch")]
                plain = folder() / "f"
                before = run([*command, str(plain)], "", "", mpi, RANKS).out.splitlines()
                for order in ORDERS:
                    with self.subTest(mpi=mpi, dialect=dialect, order=order):
                        path = folder() / "f"
                        result = run([*command, str(path)], f"{COLLECT};{HINTS}", order, mpi, RANKS)
                        self.assertEqual(result.out.splitlines()[1:], before[1:])
                        self.assertEqual(result.out.split()[:3], ["hint", "T", "1048576"])
                        self.assertEqual(path.read_bytes(), plain.read_bytes())
                        if order == "recorder behind":
                            # The piece that was read back, and the others; then all together.
                            self.assertEqual(
                                result.calls("mpi_file_write"),
                                {"mpi_file_write_at": 16 * RANKS, "mpi_file_write_at_all": RANKS},
                            )


if __name__ == "__main__":
    unittest.main()
