"""Viewshed and slope statistics for the tiles of an elevation model.

Usage: before.py ROWS COLS      all tiles
       before.py --tile R C     one tile (used by the driver)
"""
import json
import subprocess
import sys
import numpy as np

TILE = 256


def elevation(row, col):
    """Deterministic fractal terrain of one tile."""
    rng = np.random.default_rng(row * 1000 + col)
    y, x = np.mgrid[0:TILE, 0:TILE] + np.array([row * TILE, col * TILE])[:, None, None]
    z = np.zeros((TILE, TILE))
    for octave in range(1, 6):
        k = 2.0 ** octave / 1800.0
        z += 700.0 / 2 ** octave * np.sin(k * x + octave) * np.cos(1.3 * k * y - octave)
    return z + rng.normal(0.0, 0.4, z.shape)


def slope_aspect(z, spacing):
    dy, dx = np.gradient(z, spacing)
    slope = np.degrees(np.arctan(np.hypot(dx, dy)))
    aspect = np.degrees(np.arctan2(-dx, dy)) % 360.0
    return slope, aspect


def horizon_angle(z, spacing, direction):
    """Largest elevation angle seen from each cell in one direction."""
    best = np.full(z.shape, -90.0)
    dy, dx = direction
    for step in (1, 2, 4, 8, 16):
        moved = np.roll(np.roll(z, -dy * step, axis=0), -dx * step, axis=1)
        dist = spacing * step * np.hypot(dy, dx)
        best = np.maximum(best, np.degrees(np.arctan((moved - z) / dist)))
    return best


def sky_view(z, spacing):
    total = np.zeros(z.shape)
    around = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    for direction in around:
        total += np.cos(np.radians(np.maximum(0.0, horizon_angle(z, spacing, direction)))) ** 2
    return total / len(around)


def analyse(row, col):
    z = elevation(row, col)
    slope, aspect = slope_aspect(z, 10.0)
    view = sky_view(z, 10.0)
    return {
        "tile": [row, col],
        "zmean": float(z.mean()),
        "slope": float(slope.mean()),
        "steep": int((slope > 30.0).sum()),
        "south": float(((aspect > 135) & (aspect < 225)).mean()),
        "view": float(view.mean()),
    }


class TileRunner:
    """Hands out tiles; one failing tile must not stop the mosaic."""

    def __init__(self, retries=1):
        self.retries = retries
        self.failed = []

    def process(self, row, col):
        for _ in range(self.retries + 1):
            result = self.attempt(row, col)
            if result is not None:
                return result
        self.failed.append((row, col))
        return None

    def attempt(self, row, col):
        try:
            return analyse(row, col)
        except (ValueError, FloatingPointError):
            return None


def mosaic(rows, cols):
    runner = TileRunner()
    results = []
    for r in range(rows):
        for c in range(cols):
            res = runner.process(r, c)
            if res is not None:
                results.append(res)
    return results, runner.failed


def main():
    if sys.argv[1] == "--tile":
        print(json.dumps(analyse(int(sys.argv[2]), int(sys.argv[3]))))
        return
    results, failed = mosaic(int(sys.argv[1]), int(sys.argv[2]))
    with open("mosaic.json", "w") as out:
        json.dump(results, out)
    print("tiles %d failed %d" % (len(results), len(failed)))
    print("mean slope %.4f, sky view %.5f, steep cells %d" % (
        np.mean([r["slope"] for r in results]), np.mean([r["view"] for r in results]),
        sum(r["steep"] for r in results)))


if __name__ == "__main__":
    main()
