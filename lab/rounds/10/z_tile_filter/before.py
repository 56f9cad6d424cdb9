"""Clean a synthetic infrared scene tile by tile: destripe, despeckle, mask cloud."""
import os
import tempfile

import numpy as np

TILE = 128
ROWS, COLS = 20, 30


def scene_tile(row, col):
    rng = np.random.default_rng(1000 * row + col)
    y, x = np.mgrid[0:TILE, 0:TILE]
    base = 285.0 + 6.0 * np.sin((x + TILE * col) / 210.0) + 4.0 * np.cos((y + TILE * row) / 170.0)
    stripes = rng.normal(0.0, 0.8, TILE)[:, None]
    tile = base + stripes
    spots = rng.integers(0, TILE * TILE, 60)
    tile.ravel()[spots] += 40.0
    if rng.random() < 0.3:
        cy, cx = rng.integers(20, TILE - 20, 2)
        tile = tile - 30.0 * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / 400.0)
    return tile


def destripe(tile):
    line = np.median(tile, axis=1)
    return tile - (line - np.convolve(np.pad(line, 4, mode="edge"), np.ones(9) / 9, "valid"))[:, None]


def despeckle(tile):
    near = (np.roll(tile, 1, 0) + np.roll(tile, -1, 0) + np.roll(tile, 1, 1) + np.roll(tile, -1, 1)) / 4
    return np.where(np.abs(tile - near) > 8.0, near, tile)


def decloud(tile):
    return np.where(tile < 268.0, np.nan, tile)


STAGES = (("destripe", destripe), ("despeckle", despeckle), ("decloud", decloud))


class Pipeline:
    """Runs the stages; every stage hands its product on to the following one."""

    def __init__(self, scratch):
        self.scratch = scratch

    def put(self, tile, stage):
        fd, path = tempfile.mkstemp(prefix=stage + "_", suffix=".npy", dir=self.scratch)
        with os.fdopen(fd, "wb") as fh:
            np.save(fh, tile)
        return path

    def get(self, path):
        tile = np.load(path)
        os.remove(path)
        return tile

    def process(self, tile):
        path = self.put(tile, "raw")
        for name, work in STAGES:
            path = self.put(work(self.get(path)), name)
        return self.get(path)


def main():
    scratch = tempfile.mkdtemp(prefix="scratch_", dir=".")
    pipe = Pipeline(scratch)
    means = np.empty((ROWS, COLS))
    cloudy = 0
    with open("scene.bin", "wb") as out:
        for r in range(ROWS):
            for c in range(COLS):
                tile = pipe.process(scene_tile(r, c))
                means[r, c] = np.nanmean(tile)
                cloudy += int(np.isnan(tile).sum())
                out.write(np.nan_to_num(tile, nan=-1.0)[::4, ::4].astype("<f4").tobytes())
    os.rmdir(scratch)
    print(f"mean temperature {means.mean():.5f} K, warmest tile {means.max():.5f} K")
    print(f"cloudy pixels {cloudy}")


if __name__ == "__main__":
    main()
