"""Mosaic of the latest cloud-free granule of every grid cell.

usage: after.py ROWS COLS
"""
import json
import os
import sys

import numpy as np

GRANULE_DIR = "granules"
TILE = 4
SCALE = 1.0e-4


def cell_name(row, col):
    return f"S2_R{row:03d}C{col:03d}_"


def granule_index():
    """All acquisitions by cell, oldest first."""
    index = {}
    for name in sorted(os.listdir(GRANULE_DIR)):
        index.setdefault(name[:len(cell_name(0, 0))], []).append(name)
    return index


def acquisition_day(name):
    return int(name.split("_")[2])


def read_granule(name):
    values = np.fromfile(os.path.join(GRANULE_DIR, name), dtype=np.uint16)
    return values.reshape(TILE, TILE) * SCALE


def cloud_fraction(ndvi):
    return float((ndvi < 0.02).mean())


def latest_clear(names, limit=0.5):
    for name in reversed(names):
        ndvi = read_granule(name)
        if cloud_fraction(ndvi) < limit:
            return acquisition_day(name), ndvi
    return 0, np.full((TILE, TILE), np.nan)


def smooth_edges(mosaic):
    padded = np.pad(mosaic, 1, mode="edge")
    total = np.zeros_like(mosaic)
    for dy in (0, 1, 2):
        for dx in (0, 1, 2):
            total += padded[dy:dy + mosaic.shape[0], dx:dx + mosaic.shape[1]]
    return total / 9.0


def build_mosaic(rows, cols):
    mosaic = np.zeros((rows * TILE, cols * TILE))
    days = np.zeros((rows, cols), dtype=int)
    index = granule_index()
    for row in range(rows):
        for col in range(cols):
            names = index.get(cell_name(row, col), [])
            day, ndvi = latest_clear(names)
            days[row, col] = day
            mosaic[row * TILE:(row + 1) * TILE, col * TILE:(col + 1) * TILE] = ndvi
    return mosaic, days


def main():
    rows, cols = int(sys.argv[1]), int(sys.argv[2])
    mosaic, days = build_mosaic(rows, cols)
    smoothed = smooth_edges(mosaic)
    np.save("mosaic.npy", smoothed)
    summary = {
        "shape": list(mosaic.shape),
        "mean_ndvi": round(float(np.nanmean(smoothed)), 6),
        "newest": int(days.max()),
        "empty_cells": int((days == 0).sum()),
    }
    with open("mosaic.json", "w") as out:
        json.dump(summary, out, indent=1)
    print(summary)


if __name__ == "__main__":
    main()
