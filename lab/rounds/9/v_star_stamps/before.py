"""Source detection on a synthetic CCD frame; postage stamps of all sources are kept for the later PSF model."""
import argparse
from pathlib import Path

import numpy as np

HALF = 7


def synthetic_frame(side, nstars, seed=31):
    rng = np.random.default_rng(seed)
    frame = rng.normal(100.0, 3.0, (side, side)).astype(np.float32)
    yy, xx = np.mgrid[-10:11, -10:11]
    for _ in range(nstars):
        x, y = rng.integers(12, side - 12, 2)
        flux, s = rng.pareto(1.5) * 400 + 250, rng.uniform(1.3, 1.7)
        frame[y - 10:y + 11, x - 10:x + 11] += (flux * np.exp(-(xx ** 2 + yy ** 2) / (2 * s * s)) / (2 * np.pi * s * s))
    return frame


def smooth(a):
    for axis in (0, 1):
        a = 0.25 * np.roll(a, 1, axis) + 0.5 * a + 0.25 * np.roll(a, -1, axis)
    return a


def detect(frame, nsigma=4.0):
    s = smooth(frame - np.median(frame))
    level = nsigma * 1.4826 * np.median(np.abs(s))
    peak = s > level
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dx or dy:
                peak &= s >= np.roll(np.roll(s, dy, 0), dx, 1)
    peak[:HALF + 1] = peak[-HALF - 1:] = False
    peak[:, :HALF + 1] = peak[:, -HALF - 1:] = False
    return np.argwhere(peak)


class StampWriter:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.count = 0

    def add(self, stamp):
        np.save(self.folder / f"source_{self.count:05d}.npy", stamp)
        self.count += 1

    def close(self):
        pass


def measure(frame, sources, writer):
    yy, xx = np.mgrid[-HALF:HALF + 1, -HALF:HALF + 1]
    aperture = (xx ** 2 + yy ** 2) <= 25
    sky = ~aperture
    table = np.empty((len(sources), 3))
    for k, (y, x) in enumerate(sources):
        stamp = frame[y - HALF:y + HALF + 1, x - HALF:x + HALF + 1]
        net = stamp - stamp[sky].mean()
        flux = net[aperture].sum()
        table[k] = flux, (net * xx)[aperture].sum() / flux + x, (net * yy)[aperture].sum() / flux + y
        writer.add(net.astype(np.float32))
    writer.close()
    return table


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--side", type=int, default=1800)
    ap.add_argument("--stars", type=int, default=7000)
    args = ap.parse_args()
    frame = synthetic_frame(args.side, args.stars)
    sources = detect(frame)
    table = measure(frame, sources, StampWriter("stamps"))
    np.save("photometry.npy", table)
    print(f"{len(table)} sources, median flux {np.median(table[:, 0]):.5f}")


if __name__ == "__main__":
    main()
