"""Spatial pattern of trees in forest plots: Ripley's L with envelopes.

Reads the census table of each plot, computes Ripley's L function of the stems
and compares it with random patterns of the same density.
"""
import csv
import glob
import os
import sys

import numpy as np

N_RANDOM = int(sys.argv[1]) if len(sys.argv) > 1 else 10
R_MAX = float(sys.argv[2]) if len(sys.argv) > 2 else 15.0
SIDE = 100.0                     # m, side of a plot
RADII = np.linspace(1.0, R_MAX, 15)
STOP_FILE = "stop"


def read_plot(path):
    """Coordinates and basal area of the living stems."""
    xy, basal = [], []
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            xy.append((float(row["x"]), float(row["y"])))
            basal.append(np.pi * (float(row["dbh_cm"]) / 200.0) ** 2)
    return np.array(xy), np.array(basal)


def ripley_l(xy):
    """L(r) - r with periodic edges."""
    d = np.abs(xy[:, None, :] - xy[None, :, :])
    d = np.minimum(d, SIDE - d)
    dist = np.sqrt(d[..., 0] ** 2 + d[..., 1] ** 2)
    n = len(xy)
    inner = np.sort(dist[dist < RADII[-1] + 1.0])
    counts = np.searchsorted(inner, RADII) - n
    k = counts * SIDE ** 2 / (n * (n - 1))
    return np.sqrt(np.maximum(k, 0) / np.pi) - RADII


def envelope(n, rng):
    sims = np.array([ripley_l(rng.uniform(0, SIDE, (n, 2)))
                     for _ in range(N_RANDOM)])
    return sims.min(axis=0), sims.max(axis=0)


def main():
    rng = np.random.default_rng(31)
    rows = []
    log = open("progress.log", "w")
    for path in sorted(glob.glob("plot*.csv")):
        if os.path.exists(STOP_FILE):
            break
        xy, basal = read_plot(path)
        obs = ripley_l(xy)
        low, high = envelope(len(xy), rng)
        clustered = int((obs > high).sum())
        regular = int((obs < low).sum())
        name = os.path.splitext(path)[0]
        rows.append((name, len(xy), basal.sum(), clustered, regular))
        log.write("%s done\n" % name)
        log.flush()
    log.close()
    with open("pattern.csv", "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["plot", "stems", "basal_m2", "clustered", "regular"])
        out.writerows(rows)
    print("plots %d  clustered radii %d  regular radii %d"
          % (len(rows), sum(r[3] for r in rows), sum(r[4] for r in rows)))


if __name__ == "__main__":
    main()
