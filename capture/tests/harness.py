"""How a case runs a program with the recorder, and reads what it left."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import segment

HERE = Path(__file__).parent
PROGRAMS = [
    "processes",
    "threads",
    "signals",
    "descriptors",
    "endings",
    "results",
    "seccomp",
    "breadth",
    "stress",
    "witness",
    "safety",
    "silent",
    "rights",
]


class Bench:
    """One case's directory, and how to run a program in it."""

    def __init__(self, library: str, programs: Path, directory: Path):
        self.library, self.programs, self.directory = library, programs, directory
        self.segments = directory / "segments"
        self.file = directory / "file"

    def environment(self, **settings: str) -> dict[str, str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("DIYA_")}
        return clean | {"LD_PRELOAD": self.library, "DIYA_DIR": str(self.segments)} | settings

    def run(self, program: str, *arguments: str, env: dict[str, str] | None = None, **options):
        command = [str(self.programs / program), *arguments]
        env = self.environment() if env is None else env
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, **options)

    def read(self) -> list[segment.Segment]:
        return segment.segments(self.segments)

    def writes(self) -> list[segment.Call]:
        return [
            call for s in self.read() for call in s.calls if call.function == "write" and call.path == str(self.file)
        ]


def equal(found, wanted, what: str) -> None:
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")
