#!/usr/bin/env python3
"""Vineyard yield forecast: reads the plot surveys, bootstraps the yield of every
block and writes one line per vine plus a block table."""
import csv
import json
import os
import sys

import numpy as np

VINES_PER_PLOT = 40
PRICE = {"VSP": 2.1, "Lyre": 2.4, "Guyot": 1.9}


def surveys(root):
    for folder, dirs, names in os.walk(root):
        dirs.sort()
        for name in sorted(names):
            if name.endswith(".json"):
                with open(os.path.join(folder, name)) as fh:
                    yield json.load(fh)


def vine_rows(plot):
    for v in plot["vines"]:
        yield (plot["block"], plot["plot"], v["row"], v["vine"], v["clusters"],
               v["kg"], round(v["kg"] / v["clusters"] * 1000, 1))


def write_vines(path, plots):
    n = 0
    with open(path, "w", newline="") as fh:
        w = csv.writer(fh)
        w.writerow(["block", "plot", "row", "vine", "clusters", "kg", "g_per_cluster"])
        for p in plots:
            for row in vine_rows(p):
                w.writerow(row)
                n += 1
    return n


def weights(plots):
    out = {}
    for p in plots:
        out.setdefault(p["block"], []).append([v["kg"] for v in p["vines"]])
    return {b: np.array(v) for b, v in out.items()}


def two_stage_bootstrap(kg, rounds, rng):
    """Resample plots, then vines within plots."""
    nplots, nvines = kg.shape
    sums = np.empty(rounds)
    for r in range(rounds):
        pick = kg[rng.integers(0, nplots, nplots)]
        cols = rng.integers(0, nvines, size=pick.shape)
        sums[r] = np.take_along_axis(pick, cols, axis=1).sum()
    return sums


def revenue(plots):
    return sum(PRICE[p["trellis"]] * sum(v["kg"] for v in p["vines"]) for p in plots)


def main():
    root, rounds = sys.argv[1], int(sys.argv[2])
    plots = list(surveys(root))
    n = write_vines("vines.csv", plots)
    rng = np.random.default_rng(12)
    acc = 0.0
    with open("blocks.csv", "w") as out:
        out.write("block,mean_kg,lo,hi\n")
        for block, kg in sorted(weights(plots).items()):
            boot = two_stage_bootstrap(kg, rounds, rng)
            lo, hi = np.percentile(boot, [2.5, 97.5])
            out.write("%s,%.2f,%.2f,%.2f\n" % (block, boot.mean(), lo, hi))
            acc += boot.mean() + hi - lo
    print("plots %d vines %d checksum %.4f revenue %.2f" % (len(plots), n, acc, revenue(plots)))


if __name__ == "__main__":
    main()
