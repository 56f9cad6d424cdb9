#!/usr/bin/env python3
"""Grids VIIRS-like brightness temperature granules day by day and writes daily composites."""
import argparse
import collections
import glob
import json
import multiprocessing as mp
import os
import sys

import numpy as np

GRID = (90, 180)


def grid_granule(path):
    """Sum and count on the grid of one granule."""
    bt = np.load(path)
    hour = int(path.rsplit(".", 2)[1][:2])
    lines, pixels = np.mgrid[0:bt.shape[0], 0:bt.shape[1]]
    row = (lines * GRID[0] // bt.shape[0]).ravel()
    col = ((pixels + hour * 25) * GRID[1] // (bt.shape[1] + 500)).ravel()
    cell = row * GRID[1] + col
    ok = np.isfinite(bt.ravel())
    total = np.bincount(cell[ok], weights=bt.ravel()[ok], minlength=GRID[0] * GRID[1])
    count = np.bincount(cell[ok], minlength=GRID[0] * GRID[1])
    return total, count


def by_day(paths):
    days = collections.defaultdict(list)
    for p in paths:
        days[os.path.basename(p).split(".")[1]].append(p)
    return dict(sorted(days.items()))


def composite(paths, pool):
    parts = pool.map(grid_granule, paths)
    total = sum(p[0] for p in parts)
    count = sum(p[1] for p in parts)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan).reshape(GRID), int(count.sum())


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("l1b")
    ap.add_argument("--workers", type=int, default=2)
    ap.add_argument("--outdir", default="daily")
    a = ap.parse_args()
    days = by_day(sorted(glob.glob(os.path.join(a.l1b, "VNP02MOD.*.npy"))))
    if not days:
        sys.exit(f"no granules in {a.l1b}")
    os.makedirs(a.outdir, exist_ok=True)
    log = []
    with mp.get_context("spawn").Pool(a.workers) as pool:
        for day, paths in days.items():
            try:
                bt, n = composite(paths, pool)
            except (OSError, ValueError) as e:
                print(f"{day}: {e}", file=sys.stderr)
                continue
            np.save(os.path.join(a.outdir, f"bt_{day}.npy"), bt.astype(np.float32))
            log.append({"day": day, "granules": len(paths), "pixels": n, "mean": round(float(np.nanmean(bt)), 4)})
            print(f"{day}: {len(paths)} granules, {n} pixels, mean {np.nanmean(bt):.4f} K")
    with open(os.path.join(a.outdir, "log.json"), "w") as f:
        json.dump(log, f)


if __name__ == "__main__":
    main()
