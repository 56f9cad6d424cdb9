"""One real program: its input, its command, its run in a folder of its own."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).parent
# Open MPI starts nothing as root without two settings; programs use one processor each.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "LC_ALL": "C.UTF-8",
}


class Job:
    """One program in a folder of its own."""

    def __init__(self, program: dict, python: str, folder: str, home: Path, limit_s: float):
        """`home` holds its scripts (`python/`) and input decks (`decks/`)."""
        self.program, self.folder, self.limit_s = program, folder, limit_s
        self.names = {
            "python": python,
            "inputs": str(HERE / "inputs.py"),
            "decks": str(home / "decks"),
            "scripts": str(home / "python"),
        }

    def words(self) -> list[str]:
        """The command; through a shell only where it needs one, which would be recorded too."""
        line = self.filled("command")
        return ["sh", "-c", line] if any(c in line for c in "|;&<>") else shlex.split(line)

    def filled(self, field: str) -> str:
        line = self.program[field]
        for name, value in self.names.items():
            line = line.replace("{" + name + "}", value)
        return line

    def prepare(self) -> None:
        """Makes its input."""
        if "prepare" in self.program:
            self.call(["sh", "-e", "-c", self.filled("prepare")])
        os.sync()

    def run(self, wrap: list[str]) -> float:
        """Runs it; seconds of wall time."""
        started = time.monotonic()
        self.call(wrap + self.words())
        return time.monotonic() - started

    def call(self, words: list[str]) -> None:
        subprocess.run(
            words,
            cwd=self.folder,
            check=True,
            timeout=self.limit_s,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **ENVIRONMENT},
        )
