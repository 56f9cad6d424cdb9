"""Replica runs of a lattice protein, two workers, watched by the main process.

Every replica leaves its own result file; the main process watches the folder
and prints the progress.

usage: before.py REPLICAS STEPS
"""
import json
import math
import multiprocessing as mp
import os
import random
import sys
import time
from pathlib import Path

SEQUENCE = "HPHPPHHPHPPHPHHPPHPHHPHPPH"
RESULTS = Path("replicas")
MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1))
WATCH_SECONDS = 0.1


def energy(chain):
    where = {site: k for k, site in enumerate(chain)}
    contacts = 0
    for k, (x, y) in enumerate(chain):
        if SEQUENCE[k] != "H":
            continue
        for dx, dy in MOVES:
            other = where.get((x + dx, y + dy))
            if other is not None and other > k + 1 and SEQUENCE[other] == "H":
                contacts += 1
    return -contacts


def pivot(chain, rng):
    """Turns the tail of the chain about a random bead."""
    centre = rng.randrange(1, len(chain) - 1)
    cx, cy = chain[centre]
    turn = rng.randrange(3)
    tail = []
    for x, y in chain[centre + 1:]:
        dx, dy = x - cx, y - cy
        if turn == 0:
            dx, dy = -dy, dx
        elif turn == 1:
            dx, dy = dy, -dx
        else:
            dx, dy = -dx, -dy
        tail.append((cx + dx, cy + dy))
    moved = chain[:centre + 1] + tail
    return moved if len(set(moved)) == len(moved) else None


def fold(job):
    replica, steps = job
    rng = random.Random(1000 + replica)
    temperature = 0.5 + 0.1 * replica
    chain = [(k, 0) for k in range(len(SEQUENCE))]
    current = best = 0
    for _ in range(steps):
        moved = pivot(chain, rng)
        if moved is None:
            continue
        new = energy(moved)
        if new <= current or rng.random() < math.exp((current - new) / temperature):
            chain, current = moved, new
            best = min(best, current)
    result = {"replica": replica, "temperature": temperature, "best": best, "chain": chain}
    temporary = RESULTS / f".replica_{replica:03d}.part"
    temporary.write_text(json.dumps(result))
    temporary.rename(RESULTS / f"replica_{replica:03d}.json")


def finished():
    with os.scandir(RESULTS) as entries:
        return sorted(entry.name for entry in entries if entry.name.endswith(".json"))


def watch(n_replicas):
    shown = 0
    while shown < n_replicas:
        done = finished()
        if len(done) > shown:
            shown = len(done)
            print(f"{shown} of {n_replicas} replicas", flush=True)
        if shown < n_replicas:
            time.sleep(WATCH_SECONDS)


def main():
    n_replicas, steps = int(sys.argv[1]), int(sys.argv[2])
    RESULTS.mkdir(exist_ok=True)
    for old in RESULTS.glob("*.json"):
        old.unlink()
    with mp.Pool(2) as pool:
        outcome = pool.map_async(fold, [(k, steps) for k in range(n_replicas)], chunksize=1)
        watch(n_replicas)
        outcome.get()
    results = [json.loads((RESULTS / name).read_text()) for name in finished()]
    best = min(results, key=lambda result: result["best"])
    print(f"best energy {best['best']} at T = {best['temperature']:.2f}")


if __name__ == "__main__":
    main()
