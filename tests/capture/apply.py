#!/usr/bin/env python3
"""`diya run --apply` on real programs: settings reach them, and their results stay the same."""

import os
import subprocess
from pathlib import Path

import launcher


class Apply(launcher.Case):
    """Settings of `diya tune`, given to programs that are not changed."""

    def settings(self, name: str, text: str) -> Path:
        folder = self.folder / "settings"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        return folder

    def applied(self) -> list[str]:
        (job,) = self.ask("select metadata from job")
        lines = (job["metadata"] or "").splitlines()
        return [line.removeprefix("applied:") for line in lines if line.startswith("applied:")]

    def test_hints_reach_mpich_and_the_result_is_the_same(self) -> None:
        program = launcher.compiled("mpi_collective.c", compiler="mpicc.mpich")
        command = [*launcher.MPI_RUN["mpich"], "-n", 4, program]
        before = self.run_diya(*command, self.folder / "before.out", 64)
        self.assertEqual(before.stdout, "automatic\n", before.stderr)
        self.assertEqual(self.applied(), [])
        folder = self.settings("romio-hints.txt", "# words\nromio_cb_write enable\n")
        after = self.run_diya(*command, self.folder / "after.out", 64, options=("--force", "--apply", folder))
        self.assertEqual(after.stdout, "enable\n", after.stderr)
        self.assertEqual(self.applied(), ["ROMIO_HINTS:romio_cb_write=enable"])
        self.assertEqual(*((self.folder / name).read_bytes() for name in ("before.out", "after.out")))
        said = subprocess.run([launcher.DIYA, "report", self.log], capture_output=True, text=True, timeout=120)
        self.assertRegex(said.stdout, r"applied +ROMIO_HINTS:romio_cb_write=enable")

    def test_tuned_settings_change_the_requests_and_not_the_result(self) -> None:
        program = launcher.compiled("mpi_pieces.c", compiler="mpicc.mpich")
        command = [*launcher.MPI_RUN["mpich"], "-n", 4, program, self.folder / "pieces.out", 12]
        moved = "select op, sum(size_bytes) as bytes from call join file on call.file_id = file.file_id"
        moved += " where layer = 'posix' and op in ('read', 'write') and path like '%pieces.out' group by op"
        self.run_diya(*command)
        before = {row["op"]: row["bytes"] for row in self.ask(moved)}
        content = (self.folder / "pieces.out").read_bytes()
        (self.folder / "pieces.out").unlink()
        self.assertGreater(before["write"], len(content))
        folder = self.folder / "settings"
        tune = [launcher.DIYA, "tune", "-q", self.log, "-o", folder]
        subprocess.run(tune, check=True, capture_output=True, timeout=120)
        # No recording holds the sizes of the pieces: the hint is off until somebody tries it.
        hints = folder / "romio-hints.txt"
        self.assertIn("\n# romio_ds_write disable\n", hints.read_text())
        hints.write_text(hints.read_text().replace("# romio_ds_write", "romio_ds_write"))
        done = self.run_diya(*command, options=("--force", "--apply", folder))
        self.assertIn("ROMIO_HINTS:romio_ds_write=disable", self.applied(), done.stderr)
        after = {row["op"]: row["bytes"] for row in self.ask(moved)}
        self.assertEqual(after, {"write": len(content)})
        self.assertEqual((self.folder / "pieces.out").read_bytes(), content)

    def test_an_unknown_key_is_one_line_and_the_program_runs(self) -> None:
        folder = self.settings("romio-hints.txt", "cb_nodez 4\n")
        done = self.run_diya("sh", "-c", "echo ${ROMIO_HINTS-none}; true > made", options=("--apply", folder))
        self.assertEqual((done.returncode, done.stdout), (0, "none\n"), done.stderr)
        (line,) = [line for line in done.stderr.splitlines() if "cb_nodez" in line]
        self.assertIn("line 1: not applied: cb_nodez is unknown", line)
        self.assertEqual(self.applied(), [])

    def test_parameters_of_open_mpi_are_variables_and_a_script_is_not_run(self) -> None:
        folder = self.settings("openmpi-mca-params.conf", "io_ompio_num_aggregators = 2\n")
        (folder / "environment.sh").write_text("touch pwned\nexport HDF5_USE_FILE_LOCKING=FALSE\n")
        show = "echo $OMPI_MCA_io_ompio_num_aggregators ${HDF5_USE_FILE_LOCKING-none}; true > made"
        done = self.run_diya("sh", "-c", show, options=("--apply", folder))
        self.assertEqual(done.stdout, "2 none\n", done.stderr)
        self.assertIn("name the file to apply it", done.stderr)
        named = ("--force", "--apply", folder / "environment.sh")
        done = self.run_diya("sh", "-c", show, options=named)
        self.assertEqual(done.stdout, "FALSE\n", done.stderr)
        self.assertEqual(self.applied(), ["HDF5_USE_FILE_LOCKING=FALSE"])
        self.assertFalse((self.folder / "pwned").exists())

    def test_what_the_user_has_set_stays(self) -> None:
        folder = self.settings("romio-hints.txt", "cb_nodes 4\n")
        environment = {**os.environ, "ROMIO_HINTS": "/mine"}
        done = self.run_diya("sh", "-c", "echo $ROMIO_HINTS", options=("--apply", folder), env=environment)
        self.assertEqual(done.stdout, "/mine\n", done.stderr)
        self.assertIn("ROMIO_HINTS is set already", done.stderr)

    def small_writes(self, name: str) -> list:
        """A program that writes 5,000 pieces of 100 bytes."""
        text = f"import os; fd = os.open({str(self.folder / name)!r}, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)\n"
        text += "for k in range(5000): assert os.write(fd, b'%0100d' % k) == 100\nos.close(fd)"
        return ["/usr/bin/python3", "-c", text]

    def test_small_writes_are_gathered_and_the_file_is_the_same(self) -> None:
        self.run_diya(*self.small_writes("plain.7.dat"))
        folder = self.folder / "settings"
        subprocess.run(
            [launcher.DIYA, "tune", "-q", self.log, "-o", folder], check=True, capture_output=True, timeout=120
        )
        # The file of the next run has another number.
        self.run_diya(*self.small_writes("plain.8.dat"), options=("--force", "--apply", folder))
        (row,) = self.ask("select setting, calls_asked, calls_issued, bytes, why_not from applied")
        self.assertEqual((row["setting"], row["bytes"], row["why_not"]), ("write_buffer", 500_000, None))
        self.assertGreater(row["calls_asked"], 4900)
        self.assertLess(row["calls_issued"], 20)
        (calls,) = self.ask(
            "select sum(calls) as n from call join file on call.file_id = file.file_id"
            " where path like '%plain.8.dat' and op = 'write' and layer = 'posix'"
        )
        self.assertLess(calls["n"], 100)
        self.assertEqual(*((self.folder / name).read_bytes() for name in ("plain.7.dat", "plain.8.dat")))
        said = subprocess.run([launcher.DIYA, "report", self.log], capture_output=True, text=True, timeout=120)
        self.assertRegex(said.stdout, r"effect +write_buffer: \d+ calls? instead of [\d,]+ calls in 1 file")

    def test_auto_needs_no_log(self) -> None:
        self.run_diya(*self.small_writes("auto.dat"), options=("--apply", "auto"))
        self.assertEqual(self.applied(), ["auto"])
        (row,) = self.ask("select calls_issued from applied where setting = 'write_buffer' and why_not is null")
        self.assertLess(row["calls_issued"], 20)

    def test_a_setting_with_a_risk_needs_a_yes(self) -> None:
        folder = self.settings("program.conf", "no_fsync on\n")
        text = (
            f"import os; fd = os.open({str(self.folder / 'safe')!r}, os.O_CREAT | os.O_WRONLY); "
            "os.write(fd, b'x'); os.fsync(fd)"
        )
        program = ["/usr/bin/python3", "-c", text]
        syncs = "select count(*) as n from call where op = 'sync'"
        done = self.run_diya(*program, options=("--apply", folder))
        self.assertIn("--accept no_fsync", done.stderr)
        self.assertEqual(self.ask(syncs), [{"n": 1}])
        self.run_diya(*program, options=("--force", "--apply", folder, "--accept", "no_fsync"))
        self.assertEqual(self.ask(syncs), [{"n": 0}])
        self.assertEqual(self.applied(), ["no_fsync=on"])

    def test_independent_writes_of_ranks_are_issued_together(self) -> None:
        program = launcher.compiled("mpi_pieces.c", compiler="mpicc.mpich")
        command = [*launcher.MPI_RUN["mpich"], "-n", 4, program, self.folder / "pieces.out", 12]
        self.run_diya(*command)
        content = (self.folder / "pieces.out").read_bytes()
        (self.folder / "pieces.out").unlink()
        folder = self.settings("program.conf", "mpi_collect 16777216\nmpi_hint cb_buffer_size:8388608\n")
        self.run_diya(*command, options=("--force", "--apply", folder))
        self.assertEqual((self.folder / "pieces.out").read_bytes(), content)
        hints = self.ask("select distinct value from mpi_hint where hint = 'cb_buffer_size'")
        self.assertEqual(hints, [{"value": "8388608"}])

    def test_a_folder_without_settings_is_an_error_before_the_start(self) -> None:
        done = self.run_diya("touch", "started", options=("--apply", self.folder / "nothing"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse((self.folder / "started").exists())


if __name__ == "__main__":
    launcher.main()
