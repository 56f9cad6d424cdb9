#!/usr/bin/env python3
"""`diya tune --loop` on a real MPI program: settings reach the ranks, and the results stay."""

import json
import os
import signal
import subprocess
import time

import launcher


class TuneLoop(launcher.Case):
    """Ranks under MPICH that write pieces, for which there are hints and settings."""

    def command(self, *options: object) -> list[str]:
        program = launcher.compiled("mpi_pieces.c", compiler="mpicc.mpich")
        ranks = [*launcher.MPI_RUN["mpich"], "-n", 4, program, self.folder / "pieces.out", 12]
        return [str(word) for word in (launcher.DIYA, "tune", "-q", *options, "--", *ranks)]

    def test_hints_are_tried_and_the_result_is_the_same(self) -> None:
        same = f"cmp {self.folder}/pieces.out {self.folder}/right"
        line = self.command(
            "--loop", 3, "-o", "tried", "--json", "--verify", f"test ! -f right || {same}; cp pieces.out right"
        )
        done = subprocess.run(line, capture_output=True, text=True, timeout=300, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual([run["name"] for run in said["run"][:2]], ["baseline", "settings-1"])
        hints = [setting["line"] for setting in said["tried"][1]["settings"]]
        self.assertIn("romio_ds_write disable", hints)
        self.assertIsNone(said["tried"][1]["lost"])
        (job,) = self.ask("select metadata from job", self.folder / "tried" / said["run"][1]["log"])
        self.assertIn("ROMIO_HINTS:romio_ds_write=disable", job["metadata"])
        self.assertEqual((self.folder / "tried/keep").exists(), said["answer"] == "keep")

    def test_sigterm_ends_the_ranks_and_writes_the_page(self) -> None:
        loop = subprocess.Popen(
            self.command("--loop", 5, "-o", "tried"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
        )
        second = self.folder / "tried/settings-1"
        for _ in range(600):
            if second.exists():
                break
            time.sleep(0.1)
        loop.send_signal(signal.SIGTERM)
        _, errors = loop.communicate(timeout=60)
        self.assertEqual(loop.returncode, 130, errors)
        self.assertTrue((self.folder / "tried/index.html").exists())
        running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        self.assertNotIn(os.fspath(self.folder / "pieces.out"), running)


if __name__ == "__main__":
    launcher.main()
