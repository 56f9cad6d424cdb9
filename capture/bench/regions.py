"""What a region of diya.h costs, begun and ended:  regions.py LIBDIYA_CAPTURE [--rounds N]

Not recorded: with nothing preloaded. Recorded: under the recorder. The yardsticks are one
reading of the clock (clock_gettime) and an empty loop of the same program; of several
rounds, the fastest counts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

GOAL_NS = {"not recorded": 2, "recorded": 60}
PAIRS = {"not recorded": 50_000_000, "recorded": 1_000_000}


def times(program: Path, library: str | None, work: Path, pairs: int) -> list[float]:
    env = {key: value for key, value in os.environ.items() if not key.startswith("DIYA_") and key != "LD_PRELOAD"}
    if library:
        env |= {"LD_PRELOAD": library, "DIYA_DIR": str(work / "segments")}
    output = subprocess.run([program, str(pairs)], env=env, capture_output=True, text=True, check=True).stdout
    shutil.rmtree(work / "segments", ignore_errors=True)
    return [float(word) for word in output.split()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        program = work / "regions"
        subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-o", program, Path(__file__).with_name("regions.c")], check=True)
        print("nanoseconds per region, begun and ended")
        print(f"{'':<14}{'region':>8}{'empty loop':>12}{'clock':>8}{'region/clock':>14}{'goal':>8}")
        for name, library in (("not recorded", None), ("recorded", arguments.library)):
            rounds = [times(program, library, work, PAIRS[name]) for _ in range(arguments.rounds)]
            region, empty, clock = (min(column) for column in zip(*rounds))
            print(f"{name:<14}{region:>8.2f}{empty:>12.2f}{clock:>8.1f}{region / clock:>14.2f}{GOAL_NS[name]:>6} ns")


if __name__ == "__main__":
    main()
