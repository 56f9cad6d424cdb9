"""Matches the triggers of a plankton counter with the pictures of its camera.

For every trigger with a picture the size of the organism is estimated from
the number of bright pixels; triggers without one get the size from the
light-scattering model.
"""
import os
import sys

import numpy as np

FRAMES = "frames"
WIDTH = 16            # pixels
PIXEL = 2.4           # micrometres
THRESHOLD = 128


def read_triggers(path):
    with open(path) as f:
        return [int(line) for line in f]


def frame_name(stamp):
    return f"cam_{stamp:06d}.raw"


def has_frame(stamp):
    return frame_name(stamp) in os.listdir(FRAMES)


def size_from_picture(stamp):
    data = np.fromfile(os.path.join(FRAMES, frame_name(stamp)), dtype=np.uint8)
    picture = data.reshape(WIDTH, WIDTH)
    area = np.count_nonzero(picture > THRESHOLD) * PIXEL ** 2
    return 2.0 * np.sqrt(area / np.pi)


def size_from_scattering(stamp, angles, table):
    """Best diameter for the (synthetic) scattering signal of this trigger."""
    rng = np.random.default_rng(stamp)
    diameter = rng.uniform(5.0, 60.0)
    x = np.pi * diameter / 0.532 * np.sin(angles)
    signal = (np.sinc(x / 40.0)) ** 2 + rng.normal(0.0, 0.02, angles.size)
    misfit = ((table - signal) ** 2).sum(axis=1)
    return 5.0 + 55.0 * np.argmin(misfit) / (len(table) - 1)


def scattering_table(angles, n=160):
    diameters = np.linspace(5.0, 60.0, n)
    x = np.pi * diameters[:, None] / 0.532 * np.sin(angles)[None, :]
    return np.sinc(x / 40.0) ** 2


def main():
    angles = np.linspace(0.02, 0.6, 120)
    table = scattering_table(angles)
    triggers = read_triggers("triggers.txt")
    seen = 0
    sizes = []
    for stamp in triggers:
        if has_frame(stamp):
            sizes.append(size_from_picture(stamp))
            seen += 1
        else:
            sizes.append(size_from_scattering(stamp, angles, table))
    counts, edges = np.histogram(sizes, bins=20, range=(0.0, 80.0))
    with open("sizes.txt", "w") as out:
        for c, lo, hi in zip(counts, edges[:-1], edges[1:]):
            out.write(f"{lo:6.1f} {hi:6.1f} {c:6d}\n")
    print(f"{len(triggers)} triggers, {seen} with picture, mean size {np.mean(sizes):.3f} um")


if __name__ == "__main__":
    sys.exit(main())
