"""Logs that the tests open."""

from __future__ import annotations

import sys
from pathlib import Path

import diya
import pytest

LOGS = Path(__file__).parents[2] / "corpus" / "logs"

#: Writes 200 small requests and reads them back.
PROGRAM = """
import os, sys
out = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
for _ in range(200):
    os.write(out, b"x" * 100)
os.lseek(out, 0, 0)
while os.read(out, 1000):
    pass
"""


@pytest.fixture(scope="session")
def log() -> str:
    """A Darshan log with single calls and findings."""
    return str(LOGS / "fsync_many.darshan")


@pytest.fixture(scope="session")
def job(log: str) -> diya.Job:
    return diya.open(log)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> diya.Job:
    """A recording of a program whose calls are known."""
    folder = tmp_path_factory.mktemp("recorded")
    command = [sys.executable, "-c", PROGRAM, str(folder / "data")]
    return diya.record(command, output=folder / "run.diya")
