#!/usr/bin/env python
"""Mosaic builder: takes over ray-traced terrain shadow tiles as they appear.

The tile maker is a process of its own (on the cluster it is a batch job).  It
puts finished tiles into the inbox folder by renaming.  The builder looks into
the folder from time to time and pastes new tiles into the mosaic.
"""
import multiprocessing as mp
import os
import shutil
import time

import numpy as np

INBOX = "inbox"
TILES = 4           # tiles in each direction
SIZE = 220
INTERVAL = 0.02     # seconds between two looks into the inbox


def terrain(ty, tx):
    """Fractal terrain of a tile, from a few octaves of waves."""
    rng = np.random.default_rng([ty, tx])
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    z = np.zeros((SIZE, SIZE))
    for octave in range(1, 7):
        a, b, p = rng.uniform(0.5, 2, 3)
        z += np.sin(2 ** octave * (a * x + b * y) + 6 * p) / 2 ** octave
    return z


def shadow(z, sun=0.012, reach=150):
    """Cells whose view of the sun is blocked by terrain to the west."""
    dark = np.zeros(z.shape, bool)
    for d in range(1, reach):
        horizon = z[:, :-d] - sun * d
        dark[:, d:] |= horizon > z[:, d:]
    return dark


def make_tiles():
    for ty in range(TILES):
        for tx in range(TILES):
            z = terrain(ty, tx)
            dark = sum(shadow(z, s).astype(np.uint8)
                       for s in np.linspace(0.004, 0.03, 12))
            tmp = os.path.join(INBOX, f".part_{ty}_{tx}.npy")
            np.save(tmp, dark)
            os.rename(tmp, os.path.join(INBOX, f"tile_{ty}_{tx}.npy"))


def main():
    shutil.rmtree(INBOX, ignore_errors=True)
    os.mkdir(INBOX)
    maker = mp.Process(target=make_tiles)
    maker.start()

    mosaic = np.zeros((TILES * SIZE, TILES * SIZE), np.uint8)
    missing = {f"tile_{ty}_{tx}.npy": (ty, tx)
               for ty in range(TILES) for tx in range(TILES)}
    while missing:
        for name in os.listdir(INBOX):
            if name in missing:
                ty, tx = missing.pop(name)
                tile = np.load(os.path.join(INBOX, name))
                mosaic[ty * SIZE:(ty + 1) * SIZE, tx * SIZE:(tx + 1) * SIZE] = tile
        if missing:
            if not maker.is_alive() and maker.exitcode != 0:
                raise SystemExit("tile maker failed")
            time.sleep(INTERVAL)
    maker.join()

    np.save("mosaic.npy", mosaic)
    print("mosaic", mosaic.shape, f"mean shade {mosaic.mean():.6f}")
    print("cells always dark", int((mosaic == 12).sum()))


if __name__ == "__main__":
    main()
