"""Pigment maps of a panel painting from scanning X-ray fluorescence.

Each tile of the scan is a cube (bands, rows, columns) of float32 counts.
A pigment shows in the net counts of its fluorescence line: line band minus the
mean of the background bands on both sides, smoothed, against the counting noise.
"""
import glob
import sys

import numpy as np

NBANDS, NY, NX = 120, 250, 256
PIGMENTS = {                   # line band, lower background band
    "lead white": (97, 93),
    "vermilion": (92, 89),
    "azurite": (74, 70),
    "lead-tin yellow": (31, 27),
    "smalt": (63, 60),
    "earths": (59, 55),
    "malachite": (75, 71),
    "orpiment": (84, 80),
    "realgar": (86, 81),
    "zinc white": (77, 72),
    "barite": (38, 34),
    "titanium white": (40, 36),
}


class TileStore:
    """The tiles of one scan, addressed by number."""

    def __init__(self, pattern="tile*.cube"):
        self.paths = sorted(glob.glob(pattern))

    def __len__(self):
        return len(self.paths)

    def cube(self, i):
        counts = np.fromfile(self.paths[i], dtype=np.float32)
        return counts.reshape(NBANDS, NY, NX)

    def band(self, i, k):
        return self.cube(i)[k].astype(float)


def smooth(img, passes=1):
    """A few passes of a 5-point binomial filter."""
    for _ in range(passes):
        p = np.pad(img, 1, mode="edge")
        img = 0.5 * img + 0.125 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
    return img


def net_counts(store, i, line, background):
    peak = store.band(i, line)
    under = 0.5 * (store.band(i, background) + store.band(i, 2 * line - background))
    net = smooth(peak - under)
    sigma = np.sqrt(np.maximum(smooth(peak + under), 1.0))
    return net, net / sigma


def map_pigment(store, line, background, threshold=0.3):
    """Net-count map of one pigment over all tiles, and its area share."""
    tiles, covered = [], 0
    for i in range(len(store)):
        net, snr = net_counts(store, i, line, background)
        covered += int((snr > threshold).sum())
        tiles.append(net.astype(np.float32))
    return np.concatenate(tiles, axis=1), covered / (len(store) * NY * NX)


def overlap(maps, a, b):
    return float(np.corrcoef(maps[a].ravel(), maps[b].ravel())[0, 1])


def main():
    chosen = list(PIGMENTS)[:int(sys.argv[1]) if len(sys.argv) > 1 else len(PIGMENTS)]
    store = TileStore()
    maps = {}
    for name in chosen:
        maps[name], share = map_pigment(store, *PIGMENTS[name])
        print(f"{name:16s} covers {100 * share:6.2f} % of the panel")
    for a, b in zip(chosen, chosen[1:]):
        print(f"{a} / {b}: r = {overlap(maps, a, b):+.4f}")
    np.save("pigments.npy", np.stack([maps[n] for n in chosen]))


if __name__ == "__main__":
    main()
