"""Site percolation on a square lattice, with a run log and restart files.

usage: before.py REALISATIONS SIDE
"""
import json
import logging
import os
import random
import sys
import tempfile
import time

RESTART = "restart.json"
SAVE_EVERY = 20

log = logging.getLogger("percolation")


def start_log(name):
    handler = logging.FileHandler(name, mode="w")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)


def find(parent, site):
    while parent[site] != site:
        parent[site] = parent[parent[site]]
        site = parent[site]
    return site


def join(parent, size, a, b):
    a, b = find(parent, a), find(parent, b)
    if a == b:
        return
    if size[a] < size[b]:
        a, b = b, a
    parent[b] = a
    size[a] += size[b]


def threshold(side, rng):
    """Fills sites in random order until top and bottom are connected."""
    n = side * side
    top, bottom = n, n + 1
    parent = list(range(n + 2))
    size = [1] * (n + 2)
    filled = bytearray(n)
    order = list(range(n))
    rng.shuffle(order)
    for count, site in enumerate(order, 1):
        filled[site] = 1
        row, column = divmod(site, side)
        if column > 0 and filled[site - 1]:
            join(parent, size, site, site - 1)
        if column < side - 1 and filled[site + 1]:
            join(parent, size, site, site + 1)
        if row == 0:
            join(parent, size, site, top)
        elif filled[site - side]:
            join(parent, size, site, site - side)
        if row == side - 1:
            join(parent, size, site, bottom)
        elif filled[site + side]:
            join(parent, size, site, site + side)
        if find(parent, top) == find(parent, bottom):
            return count / n, size[find(parent, top)] / n
    return 1.0, 1.0


def save_restart(results):
    """The old restart file stays valid until the new one is complete."""
    descriptor, name = tempfile.mkstemp(dir=".", prefix="restart_", suffix=".tmp")
    with os.fdopen(descriptor, "w") as out:
        json.dump({"done": len(results), "results": results}, out)
    os.replace(name, RESTART)


def main():
    realisations, side = int(sys.argv[1]), int(sys.argv[2])
    start_log("run.log")
    rng = random.Random(12)
    results = []
    with open("thresholds.txt", "w", buffering=1) as table:
        for k in range(realisations):
            begin = time.perf_counter()
            p_c, spanning = threshold(side, rng)
            results.append((p_c, spanning))
            table.write(f"{k:5d} {p_c:.6f} {spanning:.6f}\n")
            log.info("realisation %d: p_c=%.5f in %.1f ms", k, p_c, 1e3 * (time.perf_counter() - begin))
            if (k + 1) % SAVE_EVERY == 0:
                save_restart(results)
                log.info("restart file written after %d", k + 1)
    mean = sum(p for p, _ in results) / len(results)
    spread = (sum((p - mean) ** 2 for p, _ in results) / len(results)) ** 0.5
    log.info("p_c = %.5f +- %.5f", mean, spread)
    print(f"p_c = {mean:.5f}, standard deviation {spread:.5f}")


if __name__ == "__main__":
    main()
