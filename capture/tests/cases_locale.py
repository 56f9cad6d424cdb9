"""Files that the C library reads by calls of its own."""

from __future__ import annotations

import subprocess

from harness import Bench, equal

PYTHON = "/usr/bin/python3"

# LC_CTYPE and LC_MESSAGES, as gfortran asks for the message of a failed open.
LOADS = """
import ctypes, sys
library = ctypes.CDLL(None)
library.newlocale.restype = ctypes.c_void_p
for name in sys.argv[1:]:
    found = library.newlocale(1 << 0 | 1 << 5, name.encode(), None)
    if found:
        library.freelocale(ctypes.c_void_p(found))
"""


def loads(bench: Bench, *names: str, **settings: str) -> list[int]:
    command = [PYTHON, "-I", "-S", "-c", LOADS, *names]
    subprocess.run(command, env=bench.environment(**settings), check=True, timeout=60)
    return [call.done for s in bench.read() for call in s.calls if call.function == "newlocale"]


def a_locale_with_files_is_a_call(bench: Bench) -> None:
    equal(loads(bench, "C.UTF-8", "none_NONE", "C", "POSIX"), [0, -2], "results")


def the_locale_of_the_environment_may_have_no_files(bench: Bench) -> None:
    equal(loads(bench, "", LC_ALL="C"), [], "in LC_ALL=C")
