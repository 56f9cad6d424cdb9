#!/usr/bin/env python
"""Self-organising map of scenes from their quicklook pictures.

Every scene is brought down to a 32 x 32 signature; a small map of prototypes
is then trained on the signatures for some epochs in random order.
"""
import sys
from pathlib import Path

import numpy as np
from PIL import Image

SIDE = 32
GRID = 5
EPOCHS = 4


class Scenes:
    """Signatures of the scenes in a folder."""

    def __init__(self, folder):
        self.paths = sorted(Path(folder).glob("*.jpg"))
        self.known = {}

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        if i in self.known:
            return self.known[i]
        with Image.open(self.paths[i]) as im:
            rgb = im.convert("RGB")
        small = rgb.resize((SIDE, SIDE), Image.BOX)
        v = np.asarray(small, dtype=np.float64).ravel()
        v -= v.mean()
        self.known[i] = v / np.linalg.norm(v)
        return self.known[i]


class SelfOrganisingMap:
    def __init__(self, dim, rng):
        self.proto = rng.normal(0, 0.02, (GRID * GRID, dim))
        gy, gx = np.divmod(np.arange(GRID * GRID), GRID)
        self.dist = (gy[:, None] - gy) ** 2 + (gx[:, None] - gx) ** 2

    def winner(self, v):
        return int(((self.proto - v) ** 2).sum(axis=1).argmin())

    def update(self, v, rate, radius):
        k = self.winner(v)
        h = rate * np.exp(-self.dist[k] / (2 * radius ** 2))
        self.proto += h[:, None] * (v - self.proto)
        return k


def train(som, data, rng):
    for epoch in range(EPOCHS):
        rate = 0.5 * (1 - epoch / EPOCHS) + 0.05
        radius = 2.5 * (1 - epoch / EPOCHS) + 0.3
        err = 0.0
        for i in rng.permutation(len(data)):
            v = data[int(i)]
            k = som.update(v, rate, radius)
            err += np.linalg.norm(v - som.proto[k])
        print(f"epoch {epoch}: quantisation error {err / len(data):.6f}")


def main(folder):
    rng = np.random.default_rng(6)
    data = Scenes(folder)
    som = SelfOrganisingMap(3 * SIDE * SIDE, rng)
    train(som, data, rng)
    cells = [som.winner(data[i]) for i in range(len(data))]
    print("scenes", len(data), "cells in use", len(set(cells)))
    print("cells", cells)


if __name__ == "__main__":
    main(sys.argv[1])
