"""Lines of Python in call stacks, for every CPython that this machine has.

Tried are this interpreter, python3.N of the search path, those of pyenv, and those in
the folders of DIYA_PYTHONS, which scripts/pythons.sh fills.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import segment
from harness import HERE, Bench, equal

KNOWN = range(8, 16)
# enum diya_python_frames_state.
READ, UNKNOWN = 2, 3
FRAMES_KEPT = 24


def interpreters() -> dict[int, list[str]]:
    """By minor version."""
    folders = [*os.environ.get("DIYA_PYTHONS", "").split(":"), *os.environ["PATH"].split(":")]
    names = [shutil.which(f"python3.{minor}", path=folder) for folder in folders if folder for minor in range(6, 30)]
    names += [str(path) for path in Path.home().glob(".pyenv/versions/3.*/bin/python3")]
    found: dict[int, dict[Path, str]] = {}
    for name in [sys.executable, *filter(None, names)]:
        tell = [name, "-c", "import sys; print(sys.implementation.name, sys.version_info[1])"]
        done = subprocess.run(tell, capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.startswith("cpython "):
            found.setdefault(int(done.stdout.split()[1]), {})[Path(name).resolve()] = name
    return {minor: list(of.values()) for minor, of in sorted(found.items())}


def identity(read: segment.Segment) -> tuple[int, str, str]:
    return tuple(read.header[name] for name in ("python_frames", "language", "language_version"))


def record(bench: Bench, python: str) -> segment.Segment:
    shutil.rmtree(bench.segments, ignore_errors=True)
    command = [python, "-I", HERE / "python_stacks.py", bench.file]
    done = subprocess.run(command, env=bench.environment(DIYA_STACKS="1"), capture_output=True, text=True, timeout=60)
    equal((done.returncode, done.stderr), (0, ""), f"{python}: exit code and messages")
    return next(s for s in bench.read() if any(call.path == str(bench.file) for call in s.calls))


def stacks_name_the_lines_of_python(bench: Bench) -> None:
    for minor, pythons in interpreters().items():
        for python in pythons:
            if minor not in KNOWN:
                continue
            read = record(bench, python)
            state, language, language_version = identity(read)
            equal((state, language), (READ, "cpython"), f"{python}: identity")
            equal(bool(re.match(rf"3\.{minor}\.\d+", language_version)), True, f"{python}: version {language_version}")
            stacks = [
                read.stack_frames[c.stack] for c in read.calls if c.function == "write" and c.path == str(bench.file)
            ]
            told = bench.file.read_text().splitlines()
            equal(len(stacks), len(told), f"{python}: writes")
            for line, stack in zip(told, stacks):
                frames = [read.frames[frame] for frame in stack]
                equal(frames[0][2].split(".")[-1], "tell", f"{python}: function that writes")
                names = [f"{number} {function.split('.')[-1]}" for number, _, function in frames[1:]]
                equal(names, line.split(";")[: FRAMES_KEPT - 1], f"{python}: lines")
    missing = [f"3.{minor}" for minor in KNOWN if minor not in interpreters()]
    if missing:
        print(f"    not tried: CPython {', '.join(missing)} (scripts/pythons.sh brings some)")


def an_unknown_python_is_said(bench: Bench) -> None:
    for minor, pythons in interpreters().items():
        if minor in KNOWN:
            continue
        read = record(bench, pythons[0])
        equal(identity(read)[:2], (UNKNOWN, "cpython"), f"{pythons[0]}: identity")
        equal(read.stack_frames, {}, f"{pythons[0]}: frames")


def without_stacks_the_version_is_known(bench: Bench) -> None:
    subprocess.run([sys.executable, HERE / "script.py", bench.file], env=bench.environment(), check=True, timeout=60)
    version = ".".join(map(str, sys.version_info[:3]))
    equal({identity(s) for s in bench.read()}, {(0, "cpython", version)}, "identity")
