"""Checks that no two modules of the recorder need each other:  includes.py

A module is NAME.c with NAME.h. It needs those whose headers either of the two includes. In
a circle nobody can read, test or change one module without the others. core.h is what hooks
see of all of them, state.h what they share.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"


def modules(sources: Path) -> dict[str, set[str]]:
    """Each module, and those that it includes."""
    needs: dict[str, set[str]] = {}
    for path in sorted([*sources.glob("*.c"), *sources.glob("*.h")]):
        included = re.findall(r'^\s*#\s*include "(\w+)\.[ch]"', path.read_text(), re.M)
        needs.setdefault(path.stem, set()).update(name for name in included if name != path.stem)
    return needs


def circles(needs: dict[str, set[str]]) -> list[list[str]]:
    """One way around for each module that leads back to itself, shortest first."""
    found = []
    for start in sorted(needs):
        ways, seen = [[start]], set()
        while ways:
            way = ways.pop(0)
            for name in sorted(needs.get(way[-1], ())):
                if name == start:
                    found.append([*way, start])
                    ways = []
                    break
                if name not in seen:
                    seen.add(name)
                    ways.append([*way, name])
    return sorted(found, key=len)


def main() -> int:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c", "b"], ["c", "b", "c"]]
    found = circles(modules(SOURCES))
    for way in found:
        print("FAILED includes: " + " -> ".join(way))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
