"""Programs that misbehave, run with the recorder:  cases.py LIBRARY [CASE...]

Each case asserts what the program did (nothing may change) and what the
segments say about it (nothing may be missing).
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import HERE, PROGRAMS, Bench


def is_case(value) -> bool:
    """A function of one bench."""
    return callable(value) and getattr(value, "__annotations__", None) == {"bench": "Bench", "return": "None"}


MODULES = [importlib.import_module(path.stem) for path in sorted(HERE.glob("cases_*.py"))]
CASES = [value for module in MODULES for value in vars(module).values() if is_case(value)]


def main(library: str, chosen: list[str]) -> int:
    unknown = set(chosen) - {case.__name__ for case in CASES}
    if unknown:
        sys.exit(f"capture: no case, (bench: Bench) -> None, is named {' '.join(sorted(unknown))}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="diya-capture-") as top:
        programs = Path(top)
        for program in PROGRAMS:
            command = ["cc", "-w", "-D_GNU_SOURCE", "-o", programs / program, HERE / f"{program}.c", "-lpthread"]
            subprocess.run(command, check=True)
        for case in CASES:
            if chosen and case.__name__ not in chosen:
                continue
            directory = Path(tempfile.mkdtemp(dir=top))
            try:
                case(Bench(library, programs, directory))
            except (AssertionError, LookupError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"FAILED {case.__name__}: {type(error).__name__} {error}")
            shutil.rmtree(directory, ignore_errors=True)
    print(f"capture: {len(chosen) or len(CASES)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
