#!/usr/bin/env python3
"""Merge elevation strips to one HDF5 grid and report slope and relief per band."""
import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

CELL = 30.0          # metres
TILE = 256           # side of a chunk


def find_strips(folder):
    strips = sorted(Path(folder).glob("strip_*.npy"))
    if not strips:
        raise SystemExit(f"no strips in {folder}")
    return strips


def create_grid(h5, rows, cols, source):
    dem = h5.create_dataset("dem", shape=(rows, cols), dtype="f4",
                            chunks=(TILE, TILE), fillvalue=np.nan)
    dem.attrs["cellsize"] = CELL
    dem.attrs["source"] = source
    dem.attrs["units"] = "m"
    return dem


def merge(strips, out):
    first = np.load(strips[0], mmap_mode="r")
    cols = first.shape[1]
    rows = sum(np.load(s, mmap_mode="r").shape[0] for s in strips)
    with h5py.File(out, "w") as h5:
        dem = create_grid(h5, rows, cols, str(strips[0].parent))
        at = 0
        for s in strips:
            block = np.load(s)
            if block.shape[1] != cols:
                raise ValueError(f"{s}: {block.shape[1]} columns, expected {cols}")
            dem[at:at + len(block)] = block
            at += len(block)
    return rows, cols


def slope_degrees(block):
    gy, gx = np.gradient(block, CELL)
    return np.degrees(np.arctan(np.hypot(gx, gy)))


def bands(path, height):
    with h5py.File(path, "r") as h5:
        dem = h5["dem"]
        for top in range(0, dem.shape[0], height):
            lo = max(0, top - 1)
            hi = min(dem.shape[0], top + height + 1)
            yield top, dem[lo:hi]


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("folder")
    ap.add_argument("--out", default="dem.h5")
    ap.add_argument("--report", default="relief.txt")
    ap.add_argument("--band", type=int, default=64)
    args = ap.parse_args()
    rows, cols = merge(find_strips(args.folder), args.out)
    total = 0.0
    with open(args.report, "w") as rep:
        rep.write("# row  min  max  mean_slope\n")
        for top, block in bands(args.out, args.band):
            s = slope_degrees(block.astype("f8"))
            total += float(s.sum())
            rep.write(f"{top:5d} {block.min():9.2f} {block.max():9.2f} {s.mean():7.3f}\n")
    print(f"{rows}x{cols} cells, slope sum {total:.3f}")


if __name__ == "__main__":
    sys.exit(main())
