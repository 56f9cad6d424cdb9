"""Instructions that the recorder adds to a call, counted by valgrind (Debian: valgrind).

    instructions.py LIBDIYA_CAPTURE [--beside OTHER_BUILD]... [--kinds write,open_close,...]
                    [--modes trace,profile,stacks]

A busy machine does not change them, so one run is enough. They are no time: what the
kernel left in the caches and locked instructions count for more (run.py measures it).
"""

import argparse
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import run

CALLS, FEW, MANY = 200, 5, 25  # calls of a round, and rounds of the two runs of which one is subtracted
KINDS = [kind for kind in run.CALLS if not kind.startswith("pwrite")]


def collected(variant: run.Variant, kind: str, rounds: int, work: Path) -> int:
    segments = work / "segments"
    env = variant.environment(work, segments, False)
    # Set by `env` inside valgrind, which would be recorded itself otherwise.
    preload = [f"LD_PRELOAD={env.pop('LD_PRELOAD')}"] if "LD_PRELOAD" in env else []
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=yes"]
    program = [work / "calls", kind, str(CALLS), work, "1", str(rounds)]
    done = subprocess.run([*valgrind, "env", *preload, *program], env=env, capture_output=True, text=True, check=True)
    shutil.rmtree(segments, ignore_errors=True)
    return int(re.findall(r"Collected : (\d+)", done.stderr)[-1])


def per_call(variant: run.Variant, kind: str, work: Path) -> float:
    return (collected(variant, kind, MANY, work) - collected(variant, kind, FEW, work)) / ((MANY - FEW) * CALLS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("--beside", type=lambda text: str(Path(text).resolve()), action="append", default=[])
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--modes", default="trace,profile")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        work = Path(folder)
        run.build(work)
        columns = [column for column in run.variants(arguments, work) if column.name not in ("bare", "forward")]
        print(
            "instructions added to a call\n" + f"{'call':<11}{'bare':>10}" + "".join(f"{c.name:>11}" for c in columns)
        )
        for kind in arguments.kinds.split(","):
            bare = per_call(run.Variant("bare", None), kind, work)
            added = [per_call(column, kind, work) - bare for column in columns]
            print(f"{kind:<11}{bare:>10.1f}" + "".join(f"{n:>+11.1f}" for n in added), flush=True)


if __name__ == "__main__":
    main()
