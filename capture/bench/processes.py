"""Cost of short processes: bare and recorded.

    processes.py LIBDIYA_CAPTURE [--beside OTHER_BUILD]... [--rounds N] [--runs N]

A shell copies a file of 20 KB as often as --runs says, each time by a process of its
own. User and system time of all of them, the smallest of --rounds rounds in turns. The
processes end as on the node of `diya run`, whose launcher packs what they leave.
"""

import argparse
import os
import platform
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path


def seconds(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("--beside", type=lambda text: str(Path(text).resolve()), action="append", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=300)
    arguments = parser.parse_args()
    clean = {key: value for key, value in os.environ.items() if not key.startswith("DIYA_") and key != "LD_PRELOAD"}
    libraries = [None, arguments.library, *arguments.beside]
    times: list[list[float]] = [[] for _ in libraries]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        (Path(folder) / "from").write_bytes(bytes(20_000))
        loop = f"i=0; while [ $i -lt {arguments.runs} ]; do cp {folder}/from {folder}/to; i=$((i + 1)); done"
        for _ in range(arguments.rounds):
            for taken, library in zip(times, libraries):
                segments = f"{folder}/segments"
                recorded = {
                    "LD_PRELOAD": library,
                    "DIYA_DIR": segments,
                    "DIYA_GATHER": f"{folder}/gather",
                    "DIYA_HOME": platform.node(),
                }
                taken.append(seconds(["sh", "-c", loop], clean | (recorded if library else {})))
                shutil.rmtree(segments, ignore_errors=True)
    bare, *others = (min(taken) for taken in times)
    print(f"{arguments.runs} processes: {bare:.3f} s bare")
    for library, time in zip(libraries[1:], others):
        print(
            f"  recorded by {library}: {time:.3f} s, {1e6 * (time - bare) / arguments.runs:.0f} us a process, "
            f"{time / bare:.2f} times bare"
        )


if __name__ == "__main__":
    main()
