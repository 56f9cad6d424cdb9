"""SIGKILL at random moments, then the same command again: the hash of an ingest without trouble.

    $python tests/fleet/kills.py --diya target/debug/diya --logs FOLDER --count 50

Each round begins with an empty folder. It kills one of two shards, both, or the compaction, at a
random moment of its usual time (``--seed`` repeats the moments), up to three times, then runs
both shards and the compaction to the end. Prints how far the killed processes had come.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time


def command(name: str, dataset: str) -> list[str]:
    if name == "compact":
        return [DIYA, "fleet", "compact", dataset, "--quiet"]
    fixed = ["--system", "test", "--threads", "1", "--logs-per-commit", "5", "--quiet"]
    return [DIYA, "fleet", "ingest", args.logs, "-o", dataset, "--shard", f"{name}/2", *fixed, *FINDINGS]


def start(name: str, dataset: str) -> subprocess.Popen:
    return subprocess.Popen(command(name, dataset), stdout=subprocess.DEVNULL)


def to_the_end(dataset: str) -> dict[str, float]:
    """Seconds of each step."""
    took = {}
    for name in ("1", "2", "compact"):
        begin = time.monotonic()
        if start(name, dataset).wait() != 0:
            sys.exit(f"fleet kills: {name} failed after a kill")
        took[name] = time.monotonic() - begin
    return took


def hashed(dataset: str) -> str:
    return subprocess.run([DIYA, "fleet", "hash", dataset], check=True, capture_output=True, text=True).stdout


def kill(names: list[str], dataset: str, usual_s: dict[str, float]) -> int:
    """Starts processes and kills them; how many had not ended."""
    wait_s = random.random() * min(usual_s[name] for name in names)
    processes = [start(name, dataset) for name in names]
    time.sleep(wait_s)
    alive = sum(process.poll() is None for process in processes)
    for process in processes:
        process.kill()
        process.wait()
    return alive


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        dataset = f"{folder}/data"
        usual_s = to_the_end(dataset)
        right = hashed(dataset)
        kills, late, staged = 0, 0, 0
        while kills < args.count:
            shutil.rmtree(dataset)
            for _ in range(min(random.randint(1, 3), args.count - kills)):
                names = random.choice([["1"], ["2"], ["1", "2"], ["compact"]])
                if names == ["compact"]:
                    for name in ("1", "2"):
                        if start(name, dataset).wait() != 0:
                            sys.exit("fleet kills: an ingest failed after a kill")
                # A process that has ended cannot be killed: that counts as none.
                alive = kill(names, dataset, usual_s)
                kills, late = kills + (alive > 0), late + (alive == 0)
                staged += alive > 0 and any(pathlib.Path(dataset, "_staging").glob("*"))
            to_the_end(dataset)
            if hashed(dataset) != right:
                sys.exit(
                    f"fleet kills: another hash after {kills} kills, seed {args.seed}:\n{right}\n{hashed(dataset)}"
                )
    result = {"kills": kills, "left_a_commit": staged, "logs": LOGS}
    print(
        f"fleet kills: {kills} kills while the process ran ({late} came too late), "
        f"{staged} left a commit half done: the same hash after each rerun"
    )
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(result))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--logs", required=True)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--findings", action="store_true", help="with findings, which take longer")
    parser.add_argument("--json", help="file for the numbers")
    args = parser.parse_args()
    DIYA, FINDINGS = os.path.abspath(args.diya), [] if args.findings else ["--no-findings"]
    LOGS = sum(1 for _ in pathlib.Path(args.logs).rglob("*.darshan"))
    random.seed(args.seed)
    main()
