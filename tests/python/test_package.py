"""The package as it is installed."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import diya
import pytest

ROOT = Path(__file__).parents[2]


def script() -> str:
    return os.path.join(os.path.dirname(sys.executable), "diya")


def test_the_command_line_is_in_the_wheel(log: str) -> None:
    done = subprocess.run([script(), "--version"], check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout == f"diya {diya.__version__}\n"
    columns = {**os.environ, "COLUMNS": "100"}
    command = [script(), "report", log]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=columns)
    assert text.stdout == diya.open(log).report().text()
    wrong = subprocess.run([script(), "report", "nowhere"], check=False, stderr=subprocess.PIPE)
    assert wrong.returncode == 2 and wrong.stderr.startswith(b"diya: nowhere")


def test_a_batch_script_names_the_command_line(tmp_path: Path, log: str) -> None:
    words = ["fleet", "script", "slurm", log, str(tmp_path / "set"), "-o", str(tmp_path / "job")]
    command = [script(), *words, "--shards", "2"]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    texts = [file.read_text() for file in (tmp_path / "job").iterdir() if file.is_file()]
    assert any(script() in text for text in texts)


def test_a_reader_that_leaves_is_no_error(log: str) -> None:
    command = f'"{sys.executable}" -m diya dump "{log}" | head -n 1'
    done = subprocess.run(command, shell=True, check=True, capture_output=True, text=True)
    assert done.stderr == "" and done.stdout.count("\n") == 1


def test_the_import_takes_less_than_50_ms() -> None:
    times = []
    for _ in range(5):
        command = [sys.executable, "-X", "importtime", "-c", "import diya"]
        done = subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True)
        times.append(int(re.findall(r"\| +(\d+) \| diya$", done.stderr, re.M)[-1]))
    assert min(times) < 50_000


def test_every_name_is_there_and_others_are_not() -> None:
    for name in diya.__all__:
        assert getattr(diya, name) is not None and name in dir(diya)
    with pytest.raises(AttributeError):
        _ = diya.nothing


def test_the_examples_of_the_guide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # The examples open logs of the corpus, and write beside them.
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    monkeypatch.chdir(tmp_path)
    guide = ROOT / "docs" / "guide" / "python.md"
    # A fence ends the output above it.
    lines = ["" if line.startswith("```") else line for line in guide.read_text().splitlines()]
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    examples = doctest.DocTestParser().get_doctest("\n".join(lines), {}, "guide", str(guide), 0)
    results = doctest.DocTestRunner(optionflags=flags).run(examples)
    assert (results.failed, results.attempted > 10) == (0, True)
