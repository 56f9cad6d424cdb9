"""Cut postage stamps around the detected sources of a survey frame.

The stamps become the training set of the morphology classifier.
"""
import os
import sys

import numpy as np

HALF = 8


def synthetic_frame(size, nsources, rng):
    """Sky background with elliptical Gaussian sources."""
    frame = rng.normal(100.0, 4.0, (size, size)).astype(np.float32)
    yx = rng.integers(HALF + 1, size - HALF - 1, (nsources, 2))
    g = np.arange(-HALF, HALF)
    gx, gy = np.meshgrid(g, g)
    shapes = [np.exp(-(gx**2 / (2 * a * a) + gy**2 / 8.0)) for a in (1.5, 2.0, 3.0)]
    for k, (y, x) in enumerate(yx):
        frame[y - HALF:y + HALF, x - HALF:x + HALF] += 40.0 * shapes[k % 3]
    return frame, yx


def cut_stamp(frame, y, x):
    stamp = frame[y - HALF:y + HALF, x - HALF:x + HALF]
    low = stamp.min()
    return (stamp - low) / (stamp.max() - low)


def export_stamps(frame, positions, folder):
    os.makedirs(folder, exist_ok=True)
    stamps = np.empty((len(positions), 2 * HALF, 2 * HALF), dtype=frame.dtype)
    brightness = 0.0
    for k, (y, x) in enumerate(positions):
        stamp = cut_stamp(frame, y, x)
        stamps[k] = stamp
        brightness += float(stamp.mean())
    np.save(os.path.join(folder, "stamps.npy"), stamps)
    return brightness / len(positions)


def main():
    nsources = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    rng = np.random.default_rng(5)
    frame, positions = synthetic_frame(1500, nsources, rng)
    mean = export_stamps(frame, positions, "stamps")
    np.savetxt("catalogue.txt", positions[:100], fmt="%d")
    print(f"{nsources} stamps, mean normalised brightness {mean:.6f}")


if __name__ == "__main__":
    main()
