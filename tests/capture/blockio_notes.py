#!/usr/bin/env python3
"""What blockio chooses, and why, is in a recording and in its report."""

import json
import subprocess
from pathlib import Path

import launcher

BLOCKIO = launcher.HERE.parents[1] / "blockio"


def program(mpi: str) -> Path:
    """The test program, with the library linked statically."""
    built = launcher.WORK / "blockio"
    subprocess.run(["make", "--silent", "-C", BLOCKIO, f"OUT={built}", f"MPIS={mpi}"], check=True)
    program = launcher.WORK / f"blockio_blocks-{mpi}"
    source = launcher.HERE / "blockio_blocks.c"
    library = built / f"libblockio_{mpi}.a"
    subprocess.run([f"mpicc.{mpi}", "-o", program, f"-I{BLOCKIO / 'include'}", source, library], check=True)
    return program


class Notes(launcher.Case):
    def test_the_report_has_the_choice_and_its_reason(self) -> None:
        command = [*launcher.MPI_RUN["mpich"], "-n", 2, program("mpich"), self.folder / "field.raw"]
        done = self.run_diya(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        (said,) = done.stdout.splitlines()
        notes = self.ask("select note, times from program_note order by note")
        self.assertEqual([row["times"] for row in notes], [1, 1], "rank 0 tells, once for each direction")
        self.assertTrue(any(row["note"].endswith(f"field.raw: {said}") for row in notes), notes)
        command = [launcher.DIYA, "report", "--json", self.log]
        report = subprocess.run(command, capture_output=True, text=True, timeout=120)
        notes = json.loads(report.stdout)["job"]["notes"]
        self.assertRegex(notes[0], r"field\.raw: (independent|serialized|grouped|collective) (read|write)")
        text = subprocess.run([launcher.DIYA, "report", self.log], capture_output=True, text=True, timeout=120)
        self.assertRegex(text.stdout, r"\n  note +blockio")

    def test_without_a_recording_nothing_is_different(self) -> None:
        command = [*launcher.MPI_RUN["mpich"], "-n", 2, program("mpich"), self.folder / "field.raw"]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 1), done.stderr)
        self.assertEqual((self.folder / "field.raw").stat().st_size, 64 * 64 * 8)


if __name__ == "__main__":
    launcher.main()
