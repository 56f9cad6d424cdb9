"""Statistics of the tiles of a sky mosaic.

Without --tile this script is the driver: it makes the mosaic, has every tile
measured and writes the table.  With --tile it measures one tile.
"""
import argparse
import json
import subprocess
import sys

import h5py
import numpy as np

MOSAIC = "mosaic.h5"


def make_mosaic(side, seed=5):
    rng = np.random.default_rng(seed)
    sky = rng.normal(100.0, 4.0, size=(side, side)).astype("f4")
    yy, xx = np.mgrid[-7:8, -7:8]
    psf = np.exp(-(xx ** 2 + yy ** 2) / 8.0)
    for _ in range(side // 4):
        y, x = rng.integers(8, side - 8, size=2)
        sky[y - 7:y + 8, x - 7:x + 8] += rng.uniform(50, 400) * psf
    with h5py.File(MOSAIC, "w") as f:
        f.create_dataset("sky", data=sky)


def measure_tile(row, col, size):
    with h5py.File(MOSAIC, "r") as f:
        tile = f["sky"][row * size:(row + 1) * size, col * size:(col + 1) * size]
    background = float(np.median(tile))
    noise = 1.4826 * float(np.median(np.abs(tile - background)))
    peaks = tile > background + 8.0 * noise
    core = peaks[1:-1, 1:-1]
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        shifted = np.roll(tile, (dy, dx), axis=(0, 1))
        core = core & (tile >= shifted)[1:-1, 1:-1]
    return {
        "row": row,
        "col": col,
        "background": round(background, 4),
        "noise": round(noise, 4),
        "sources": int(core.sum()),
    }


def run_tile(row, col, size):
    done = subprocess.run(
        [sys.executable, __file__, "--tile", str(row), str(col), "--size", str(size)],
        check=True, capture_output=True, text=True,
    )
    return json.loads(done.stdout)


def drive(ntile, size):
    make_mosaic(ntile * size)
    table = []
    for row in range(ntile):
        for col in range(ntile):
            table.append(run_tile(row, col, size))
    with open("tiles.json", "w") as out:
        json.dump(table, out, indent=1)
    sources = sum(t["sources"] for t in table)
    noise = np.mean([t["noise"] for t in table])
    print(f"{len(table)} tiles, {sources} sources, mean noise {noise:.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ntile", type=int, default=3)
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--tile", type=int, nargs=2)
    args = parser.parse_args()
    if args.tile:
        print(json.dumps(measure_tile(*args.tile, args.size)))
    else:
        drive(args.ntile, args.size)


if __name__ == "__main__":
    main()
