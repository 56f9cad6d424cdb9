"""Destripe and smooth a large scanner scene strip by strip.

The scene does not have to fit into memory: each strip is read with a margin
of some rows above and below for the filter, only the inner part is used.
"""
import sys
from pathlib import Path

import numpy as np

ROWS, COLS = 3072, 4096
STRIP, MARGIN = 512, 6


class Scene:
    def __init__(self, path, rows, cols):
        self.file = open(path, "rb")
        self.rows, self.cols = rows, cols

    def read(self, first, last):
        self.file.seek(2 * self.cols * first)
        data = np.fromfile(self.file, "<u2", (last - first) * self.cols)
        return data.reshape(-1, self.cols).astype(np.float32)

    def close(self):
        self.file.close()


def detector_gain(path):
    return np.fromfile(path, "<f4")


def box(a, r, axis):
    """Running mean with half width r, edges padded."""
    pad = [(0, 0), (0, 0)]
    pad[axis] = (r + 1, r)
    c = np.cumsum(np.pad(a, pad, mode="edge"), axis=axis, dtype=np.float64)
    n = a.shape[axis]
    hi = np.take(c, range(2 * r + 1, 2 * r + 1 + n), axis=axis)
    lo = np.take(c, range(0, n), axis=axis)
    return ((hi - lo) / (2 * r + 1)).astype(np.float32)


def smooth(a):
    for r in (2, 4):
        a = box(box(a, r, 0), r, 1)
    return a


def main():
    folder = Path(sys.argv[1])
    scene = Scene(folder / "scene.u16", ROWS, COLS)
    hist = np.zeros(64, np.int64)
    total = 0.0
    with open("smooth.u16", "wb") as out:
        for first in range(0, ROWS, STRIP):
            top = max(0, first - MARGIN)
            end = min(ROWS, first + STRIP + MARGIN)
            gain = detector_gain(folder / "gain.f32")
            data = smooth(scene.read(top, end) / gain)[first - top:first - top + STRIP]
            counts = np.clip(np.rint(data), 0, 65535).astype("<u2")
            counts.tofile(out)
            hist += np.bincount(counts.ravel() >> 10, minlength=64)[:64]
            total += float(data.sum(dtype=np.float64))
    scene.close()
    p = hist[hist > 0] / hist.sum()
    print(f"mean {total / (ROWS * COLS):.4f}, entropy {-(p * np.log2(p)).sum():.5f} bit")


main()
