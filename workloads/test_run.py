"""The checks of run.py find what is wrong: each test spoils one thing."""

import argparse
import shutil
import tempfile
import unittest
from pathlib import Path

import run


class AnswerChecks(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = Path(place.name)
        (self.directory / "table.dat").write_bytes(bytes(16))
        self.answer = {
            "result": {"bytes": 16, "checksum": "0000000000000000"},
            "files": [{"name": "table.dat", "size": 16}],
        }
        self.options = argparse.Namespace(bin=self.directory)

    def check(self) -> None:
        run.check_answer(self.answer, self.directory, self.options)

    def test_an_answer_that_agrees_passes(self) -> None:
        self.check()

    def test_a_file_of_another_size_is_found(self) -> None:
        self.answer["files"][0]["size"] = 24
        with self.assertRaisesRegex(run.WrongAnswerError, "16 B, the answer says 24 B"):
            self.check()

    def test_a_file_nobody_named_is_found(self) -> None:
        (self.directory / "stray").touch()
        with self.assertRaisesRegex(run.WrongAnswerError, "stray"):
            self.check()

    def test_other_content_on_disk_is_found(self) -> None:
        self.answer["files"][0] |= {"result_offset": 0, "result_bytes": 16}
        checksum = self.directory / "file_checksum"
        checksum.write_text("#!/bin/sh\ncat >&2\necho ffffffffffffffff\n")
        checksum.chmod(0o755)
        self.answer["files"].append({"name": "file_checksum", "size": checksum.stat().st_size})
        with self.assertRaisesRegex(run.WrongAnswerError, "checksum on disk f+"):
            self.check()

    def test_all_datasets_of_a_file_are_copied_at_once(self) -> None:
        self.answer["files"] = [{"name": "table.dat", "size": 16, "result_dataset": f"field{n}"} for n in range(2)]
        copy = self.directory.parent / f"{self.directory.name}.bin"
        copy.mkdir()
        self.addCleanup(shutil.rmtree, copy)
        for name, lines in (
            ("dataset_copy", 'cat >"$2"; echo >>"$2.runs"'),
            ("file_checksum", "cat >/dev/null; echo 0000000000000000"),
        ):
            (copy / name).write_text(f"#!/bin/sh\n{lines}\n")
            (copy / name).chmod(0o755)
        self.options.bin = copy
        self.check()
        self.assertEqual((self.directory / "datasets.0.copy").read_text(), "field0\nfield1")
        self.assertEqual((self.directory / "datasets.0.copy.runs").read_text(), "\n")

    def test_an_empty_result_is_found(self) -> None:
        self.answer["result"]["bytes"] = 0
        with self.assertRaisesRegex(run.WrongAnswerError, "empty"):
            self.check()


class VariantChecks(unittest.TestCase):
    def test_variants_with_different_results_are_found(self) -> None:
        answers = {
            "before": {"result": {"checksum": "01"}, "root_cause": "imbalance"},
            "after": {"result": {"checksum": "02"}, "root_cause": "none"},
        }
        with self.assertRaisesRegex(run.WrongAnswerError, "differ"):
            run.check_variants({"root_cause": "imbalance"}, answers)

    def test_another_root_cause_than_the_manifest_says_is_found(self) -> None:
        answers = {"before": {"result": {"checksum": "01"}, "root_cause": "straggler"}}
        with self.assertRaisesRegex(run.WrongAnswerError, "names straggler"):
            run.check_variants({"root_cause": "imbalance"}, answers)


if __name__ == "__main__":
    unittest.main()
