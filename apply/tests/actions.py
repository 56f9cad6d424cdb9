"""The same random operations with and without the library: actions.py LIBRARY PROGRAM [SEEDS [FIRST]]"""

import os
import pathlib
import subprocess
import sys
import tempfile

ASKED = ["auto", "write_buffer=4096;stream_buffer=65536", "auto;write_buffer=1048576@*/file*", "write_buffer=auto"]


def outcome(program: str, seed: int, environment: dict[str, str]) -> dict[str, object]:
    """Log, files and end of one run."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        inside = pathlib.Path(folder) / "inside"
        inside.mkdir()
        ended = subprocess.run(
            [program, str(inside), str(log), str(seed), "60"],
            env=os.environ | environment,
            capture_output=True,
            timeout=120,
        )
        files = {path.name: path.read_bytes() for path in inside.iterdir()}
        return {"end": ended.returncode, "log": log.read_text(), "files": files, "said": ended.stderr}


def difference(plain: dict, applied: dict) -> str:
    for key in ("end", "said"):
        if plain[key] != applied[key]:
            return f"{key}: {plain[key]} and {applied[key]}"
    for line, (a, b) in enumerate(zip(plain["log"].splitlines(), applied["log"].splitlines())):
        if a != b:
            return f"line {line} of the log: {a!r} and {b!r}"
    if plain["log"] != applied["log"]:
        return "length of the log"
    for name in plain["files"].keys() | applied["files"].keys():
        a, b = plain["files"].get(name), applied["files"].get(name)
        if a != b:
            return f"{name}: {a and len(a)} and {b and len(b)} bytes"
    return ""


def main() -> int:
    library, program = sys.argv[1:3]
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    failed = 0
    for seed in range(first, first + seeds):
        plain = outcome(program, seed, {})
        asked = ASKED[seed % len(ASKED)]
        applied = outcome(program, seed, {"LD_PRELOAD": library, "DIYA_APPLY": asked})
        what = difference(plain, applied)
        if what:
            failed += 1
            print(f"actions: seed {seed} with {asked}: {what}")
    print(f"actions: {seeds} seeds, {failed} differ")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
