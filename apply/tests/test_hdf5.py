"""Settings of HDF5 on programs that are not changed, serial and parallel, in C and Python."""

import functools
import os
import pathlib
import subprocess
import unittest

from layers import HERE, MPIS, ORDERS, ROOT, SCRATCH, Result, build, folder, run

SETTINGS = (
    "hdf5_alignment=1048576;hdf5_metadata_block=65536;hdf5_collective_metadata=on;"
    "hdf5_chunk_cache=16777216;hdf5_fill_never=on"
)
PROGRAM_SETS = "the program sets it itself"
NOT_PARALLEL = "the file is not opened with the MPI-IO driver"
# 1 MiB of HDF5's default has 521 places: 8,353 is the next prime of 16 times that.
FILE = "alignment 1048576,1048576 metadata 65536 cache 8353,16777216"
OWN = "alignment 100,4096 metadata 4000 cache 101,200000"


def pkg(name: str, *options: str) -> list[str]:
    return subprocess.run(["pkg-config", *options, name], check=True, capture_output=True, text=True).stdout.split()


@functools.cache
def program(mpi: str) -> str:
    name = f"hdf5-{mpi or 'serial'}"
    flags = [*pkg(name, "--cflags-only-I"), *pkg(name, "--libs-only-L"), "-lhdf5"]
    return build(f"mpicc.{mpi}" if mpi else "cc", "hdf5_program.c", "-Wall", "-Werror", "-Wl,--no-as-needed", *flags)


@functools.cache
def python() -> str:
    """An interpreter with h5py and netCDF4; DIYA_LAYERS_VENV names its environment."""
    given = os.environ.get("DIYA_LAYERS_VENV")
    script = [ROOT / "scripts/python-env.sh", "capture/tests/layers/requirements.txt", "layers-env"]
    made = "" if given else subprocess.run(script, check=True, capture_output=True, text=True).stdout.strip()
    return f"{given}/bin/python" if given else f"{made}/python"


def ask(mpi: str, path: pathlib.Path, *what: str, settings: str, order: str = "alone") -> Result:
    return run([program(mpi), str(path), *what], settings, order, mpi, 2 if mpi else 1)


def lines(text: str, prefix: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(prefix)]


class Properties(unittest.TestCase):
    def test_files_have_what_is_asked_for_and_the_same_data(self) -> None:
        for mpi in ("", *MPIS):
            before = folder()
            ask(mpi, before, settings="")
            for order in ORDERS:
                with self.subTest(mpi=mpi, order=order):
                    after = folder()
                    seen = ask(mpi, after, settings=SETTINGS, order=order).out
                    collective = " collective 1,1" if mpi else ""
                    self.assertEqual(lines(seen, "created"), [f"created {FILE}{collective}"])
                    self.assertEqual(lines(seen, "opened"), [f"opened {FILE}{collective}"])
                    self.assertEqual(len(lines(seen, "plain fill never value 1 ")), 1)
                    self.assertEqual(len([line for line in seen.splitlines() if line.endswith("on a block 1")]), 2)
                    self.assertIn("again fill never value 1 cache 16777216", seen)
                    subprocess.run(["h5diff", before / "file.h5", after / "file.h5"], check=True)

    def test_what_the_program_sets_stays(self) -> None:
        for mpi in ("", *MPIS):
            with self.subTest(mpi=mpi):
                result = ask(mpi, folder(), "own", settings=SETTINGS)
                collective = " collective 1,0" if mpi else ""
                self.assertEqual(lines(result.out, "created"), [f"created {OWN}{collective}"])
                self.assertIn("chunked fill usual value 2 cache 200000", result.out)
                self.assertEqual(result.applied("hdf5_alignment"), {("1048576", PROGRAM_SETS)})
                self.assertEqual(result.applied("hdf5_chunk_cache"), {("16777216", PROGRAM_SETS)})
                self.assertEqual(result.applied("hdf5_fill_never"), {("on", ""), ("on", PROGRAM_SETS)})
                why = PROGRAM_SETS if mpi else NOT_PARALLEL
                self.assertEqual(result.applied("hdf5_collective_metadata"), {("on", why)})

    def test_only_the_writes_of_metadata(self) -> None:
        seen = ask("mpich", folder(), settings="hdf5_collective_metadata=writes").out
        self.assertEqual(
            lines(seen, "created"), ["created alignment 1,1 metadata 2048 cache 521,1048576 collective 1,0"]
        )

    def test_a_failure_has_the_same_errors(self) -> None:
        for mpi in ("", *MPIS):
            plain, applied = (ask(mpi, folder(), "fails", settings=s).out for s in ("", SETTINGS))
            self.assertIn("opened 0\nerror 0 H5Fopen", plain)
            self.assertEqual(applied, plain)

    def test_values_that_mean_nothing_are_refused(self) -> None:
        settings = "hdf5_alignment=much;hdf5_chunk_cache=1000;hdf5_collective_metadata=maybe;hdf5_fill_never=yes"
        plain = ask("mpich", folder(), settings="").out
        result = ask("mpich", folder(), settings=settings)
        self.assertEqual(result.out, plain)
        self.assertEqual(
            {line[2] for line in result.told if line[0].startswith("hdf5")},
            {
                "its value is not a number of bytes",
                "the cache is as large already",
                'its value is neither "on" nor "writes"',
                'its value is not "on"',
            },
        )

    def test_a_pattern_chooses_the_files(self) -> None:
        result = ask("", folder(), settings="hdf5_alignment=4096@*/other.h5;hdf5_fill_never=on@*/other.h5")
        self.assertIn("created alignment 1,1 ", result.out)
        self.assertEqual(result.told, [])


class Old(unittest.TestCase):
    def test_identifiers_of_32_bits(self) -> None:
        library = SCRATCH / "libhdf5old.so"
        source = str(HERE / "hdf5_old.c")
        subprocess.run(["cc", "-DLIBRARY", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
        command = [build("cc", "hdf5_old.c", "-Wall", str(library))]
        settings = "hdf5_alignment=4096;hdf5_metadata_block=65536;hdf5_chunk_cache=16777216;hdf5_collective_metadata=on"
        for order in ORDERS:
            with self.subTest(order=order):
                result = run(command, settings, order)
                self.assertEqual(
                    result.out.splitlines(),
                    [
                        "list 3 alignment 4096,4096",
                        "file 50",
                        "list 4 alignment 4096,4096",
                        "file 50",
                        "list 4 alignment 10,20",
                        "file 50",
                        "list 4 alignment 10,20",
                        "failed -1",
                        "lists left 0",
                    ],
                )
                if order == "alone":
                    missing = "this version of HDF5 does not have it"
                    self.assertEqual(result.applied("hdf5_alignment"), {("4096", ""), ("4096", PROGRAM_SETS)})
                    self.assertEqual(result.applied("hdf5_metadata_block"), {("65536", missing)})
                    self.assertEqual(result.applied("hdf5_chunk_cache"), {("16777216", missing)})
                    self.assertEqual(result.applied("hdf5_collective_metadata"), {("on", NOT_PARALLEL)})


class Hints(unittest.TestCase):
    def test_hints_reach_the_files_of_hdf5(self) -> None:
        settings = "mpi_hint=cb_buffer_size:1048576"
        for mpi in MPIS:
            before = folder()
            ask(mpi, before, settings="")
            for order in ORDERS:
                with self.subTest(mpi=mpi, order=order):
                    after = folder()
                    result = ask(mpi, after, settings=settings, order=order)
                    subprocess.run(["h5diff", before / "file.h5", after / "file.h5"], check=True)
                    if order == "alone":
                        self.assertEqual(result.applied("mpi_hint"), {("cb_buffer_size:1048576", "")})


class Collect(unittest.TestCase):
    """Independent writes of all ranks become collective ones; each rank has 24 rows in each table."""

    RANKS = 3

    def rows(self, mpi: str, path: pathlib.Path, *what: str, settings: str, order: str = "alone") -> Result:
        flags = [*pkg(f"hdf5-{mpi}", "--cflags-only-I"), *pkg(f"hdf5-{mpi}", "--libs-only-L"), "-lhdf5"]
        built = build(f"mpicc.{mpi}", "hdf5_rows.c", "-Wall", "-Werror", "-Wl,--no-as-needed", *flags)
        return run([built, str(path), *what], settings, order, mpi, self.RANKS)

    def test_tables_are_the_same_and_their_rows_are_written_together(self) -> None:
        for mpi in MPIS:
            before = folder() / "file.h5"
            plain = self.rows(mpi, before, settings="")
            for order in ORDERS:
                with self.subTest(mpi=mpi, order=order):
                    after = folder() / "file.h5"
                    result = self.rows(mpi, after, settings="mpi_collect=1000000,always", order=order)
                    self.assertEqual(result.out, plain.out)
                    subprocess.run(["h5diff", before, after], check=True)
                    if order == "alone":
                        self.assertEqual(result.applied("mpi_collect"), {("1000000,always", "")})
                    if order == "recorder behind":
                        # One for each of four tables, and HDF5's own for the fill values of chunks.
                        together = result.calls("mpi_file_write_at_all")
                        self.assertEqual(together, {"mpi_file_write_at_all": 5 * self.RANKS})

    def test_room_of_what_is_removed_can_be_used_again(self) -> None:
        for mpi in MPIS:
            before, after = folder() / "file.h5", folder() / "file.h5"
            plain = self.rows(mpi, before, "remove", settings="")
            result = self.rows(mpi, after, "remove", settings="mpi_collect=1000000,always")
            self.assertEqual(result.out, plain.out)
            subprocess.run(["h5diff", before, after], check=True)
            self.assertIn(
                "the program removes objects of HDF5 from it", {why for _, why in result.applied("mpi_collect")}
            )


class Python(unittest.TestCase):
    """h5py and netCDF4 bring a library each, where dlsym(RTLD_NEXT) finds none."""

    def test_settings_arrive_in_local_scopes(self) -> None:
        script = str(pathlib.Path(__file__).with_name("hdf5_python.py"))
        plain = run([python(), script, str(folder())], "").out.splitlines()
        for order in ORDERS[:2]:
            with self.subTest(order=order):
                seen = run([python(), script, str(folder())], SETTINGS, order).out.splitlines()
                self.assertEqual(seen[:2], ["h5py (1048576, 1048576) 65536 16777216", "dataset True 1"])
                self.assertEqual(seen[2:], plain[2:])


if __name__ == "__main__":
    unittest.main()
