#!/usr/bin/env python3
"""What `diya run` did not see of a program: it is said, and counted where that is possible."""

import json
import os
import subprocess
import sys
from pathlib import Path

import launcher


class Losses(launcher.Case):
    """Recordings that are removed, libraries that no hook sees, files in memory."""

    def test_a_recording_that_is_removed_on_the_way_is_a_loss(self) -> None:
        writes = "f = open('out', 'wb', buffering=0); [f.write(b'x' * 8) for _ in range(1000)]"
        folder = "os.environ['DIYA_DIR']"
        remove = f"[os.unlink(p) for p in glob.glob({folder} + '/*.seg') if p.split('.')[-3] == str(os.getpid())]"
        done = self.run_diya("sh", "-c", f'{sys.executable} -c "import glob, os; {writes}; {remove}"; true')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.ask("select reason from unrecorded_process"), [])
        (issue,) = self.ask("select kind, count, effect from read_issue where effect like '%removed%'")
        self.assertEqual((issue["kind"], issue["count"] >= 1000), ("not_recorded", True), issue)
        self.log.unlink()
        # With it goes what killed processes left, and the note of the launcher.
        self.run_diya("sh", "-c", 'rm "$DIYA_DIR"/*; echo x > out')
        (issue,) = self.ask("select kind from read_issue where effect like 'files of the recording were removed%'")
        self.assertEqual(issue["kind"], "missing_process")
        self.log.unlink()
        done = self.run_diya("sh", "-c", 'echo x > out; rm -r "$DIYA_DIR"')
        self.assertEqual((done.returncode, self.log.exists()), (4, False), done.stderr)
        self.assertIn("was removed while the program ran", done.stderr)

    def test_a_library_in_the_program_itself_is_said_and_its_checks_are_unknown(self) -> None:
        done = self.run_diya(launcher.compiled("static_library.c"), "data.h5")
        self.assertIn("HDF5 is linked into static_library-cc statically", done.stderr)
        self.assertEqual([row[2] for row in self.writes("data.h5")], [8])
        report = [launcher.DIYA, "report", "--format", "json", self.log]
        found = json.loads(subprocess.run(report, check=True, capture_output=True, timeout=120).stdout)
        known, unknown = str([*found["passed"], *found["not_applicable"]]), str(found["unknown"])
        self.assertEqual(("hdf5/" in known, "hdf5/fill-values" in unknown), (False, True))

    def test_a_file_in_memory_is_counted(self) -> None:
        place = Path(f"/dev/shm/diya-launcher-{os.getpid()}")
        self.addCleanup(place.unlink, missing_ok=True)
        done = self.run_diya("dd", "if=/dev/zero", f"of={place}", "bs=1M", "count=23")
        self.assertIn("23.0 MiB written", done.stderr)

    def test_a_run_ends_with_what_costs_time_and_the_next_commands(self) -> None:
        line = [launcher.DIYA, "run", "-o", self.log, "--", "dd", "if=/dev/zero", "of=out", "bs=512", "count=400000"]
        wide = {**os.environ, "COLUMNS": "100"}
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, cwd=self.folder, env=wide)
        said = done.stderr[done.stderr.index("diya: 1 process") :].splitlines()
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertTrue(said[1].startswith("I/O takes "), said)
        self.assertIn("Files are read or written in small pieces", said[-2])
        self.assertEqual(said[-1].split(" (")[0], f"diya: next: diya report {self.log}")
        self.assertLessEqual(len(said), 7)


if __name__ == "__main__":
    launcher.main()
