"""The tables of schema/functions against the library, and against the symbols
of the libraries that are hooked."""

import fnmatch
import re
import subprocess
import tomllib
import unittest

from harness import CAPTURE, library

LAYERS = ("messages", "mpiio", "hdf5", "pnetcdf", "netcdf")
DEBIAN = "/usr/lib/x86_64-linux-gnu"


def exported(path):
    out = subprocess.run(["nm", "-D", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    return {line.split()[2].split("@")[0] for line in out.splitlines() if line.split()[1] in "TW"}


def messages():
    return tomllib.loads((CAPTURE.parent / "schema" / "messages.toml").read_text())


def table(layer):
    if layer == "messages":
        return messages()
    return tomllib.loads((CAPTURE.parent / "schema" / "functions" / f"{layer}.toml").read_text())


def recorded(layer):
    return {symbol for function in table(layer)["functions"] for symbol in function["symbols"].split()}


def left_out(layer):
    return [pattern for entry in table(layer)["not_recorded"] for pattern in entry["symbols"].split()]


class Tables(unittest.TestCase):
    def test_what_a_table_calls_recorded_is_hooked(self):
        hooked = exported(library())
        for layer in LAYERS:
            with self.subTest(layer=layer):
                self.assertEqual(recorded(layer) - hooked, set())

    def test_what_is_hooked_stands_in_a_table(self):
        ours = {s for s in exported(library()) if re.match(r"(?i)p?mpi_|H5|nc_|nc__|ncmpi_", s)}
        listed = set().union(*(recorded(layer) for layer in LAYERS))
        listed |= {f"P{symbol}" for symbol in listed if symbol.startswith("MPI_")}  # hook_pmpi.c
        forgotten_only = {"H5Gclose"}  # to know when the group is gone
        self.assertEqual(ours - listed, forgotten_only)

    def unclassified(self, layer, library_file, pattern):
        symbols = {s for s in exported(f"{DEBIAN}/{library_file}") if re.fullmatch(pattern, s)}
        self.assertGreater(len(symbols), 10)
        rest = symbols - recorded(layer)
        return {s for s in rest if not any(fnmatch.fnmatchcase(s, p) for p in left_out(layer))}

    def test_every_mpiio_function_is_classified(self):
        for file in ("libmpich.so", "libmpi.so.40"):
            with self.subTest(file=file):
                self.assertEqual(self.unclassified("mpiio", file, r"MPI_File_\w+"), set())

    def test_every_call_that_moves_messages_is_classified(self):
        moves = r"MPI_(I?[bsr]?send|I?m?recv|Sendrecv|.*(cast|gather|scatter|alltoall|reduce|scan|barrier|probe)).*"
        for file in ("libmpich.so", "libmpi.so.40"):
            with self.subTest(file=file):
                found = self.unclassified("messages", file, rf"(?i:{moves})")
                self.assertEqual({s for s in found if not s.endswith(("_f2c", "_c2f"))}, set())

    def test_every_fortran_binding_is_classified(self):
        for file in ("libmpichfort.so.12", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40"):
            with self.subTest(file=file):
                self.assertEqual(self.unclassified("mpiio", file, r"mpi_file_\w+_"), set())

    def test_every_hdf5_file_and_dataset_function_is_classified(self):
        self.assertEqual(self.unclassified("hdf5", "libhdf5_mpich.so", r"H5[FDA][a-z]\w+"), set())

    def test_every_pnetcdf_function_is_classified(self):
        self.assertEqual(self.unclassified("pnetcdf", "libpnetcdf.so", r"ncmpi_\w+"), set())

    def test_every_netcdf_function_is_classified(self):
        self.assertEqual(self.unclassified("netcdf", "libnetcdf.so", r"nc_\w+"), set())


if __name__ == "__main__":
    unittest.main()
