"""Holds the source distribution against what a build of the package has read.

    python tests/python/sdist.py --maturin MATURIN --read target/debug/libdiya_python.d

Building it takes as long as a build of the SQL engine. What cargo says that it read, also for
build scripts, is known from the build of the wheel, and each of these files has to be in the
distribution.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def distributed(maturin: Path) -> tuple[set[str], str]:
    """Paths of the files in the distribution, and what cargo reports of its manifests."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(maturin), "sdist", "--out", folder]
        subprocess.run(command, check=True, cwd=ROOT, stderr=subprocess.DEVNULL)
        (file,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(file) as packed:
            packed.extractall(folder)
            names = packed.getnames()
        manifest = Path(folder, names[0].partition("/")[0], "Cargo.toml")
        metadata = ["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1", "--manifest-path"]
        loaded = subprocess.run([*metadata, str(manifest)], capture_output=True, text=True)
        problem = loaded.stderr if loaded.returncode else ""
        return {name.partition("/")[2] for name in names}, problem


def read(listed: Path) -> set[str]:
    """Files of the repository that a build has read, by cargo's list for make."""
    _, _, paths = listed.read_text().partition(": ")
    places = (Path(path.replace("\\ ", " ").strip()).resolve() for path in re.split(r"(?<!\\)\s+", paths))
    built = listed.resolve().parent.parent
    own = (place for place in places if place.is_relative_to(ROOT) and not place.is_relative_to(built))
    # Of a folder, cargo watches everything.
    return {str(place.relative_to(ROOT)) for place in own if place.is_file()}


def main() -> int:
    """Say what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--maturin", type=Path, required=True)
    parser.add_argument("--read", type=Path, required=True)
    options = parser.parse_args()
    needed = read(options.read)
    if len(needed) < 500:
        print(f"sdist: {options.read} names only {len(needed)} files of the repository")
        return 1
    names, problem = distributed(options.maturin)
    missing = sorted(needed - names)
    for path in missing:
        print(f"sdist: not in the source distribution: {path} (pyproject.toml)")
    if problem:
        print(f"sdist: cargo does not load the source distribution: {problem}")
    return 1 if missing or problem else 0


if __name__ == "__main__":
    sys.exit(main())
