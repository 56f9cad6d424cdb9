#!/usr/bin/env python
"""Nearest-centroid land-cover classifier on image tiles kept in a zip file.

The folder of a tile in the archive is its class.  A random part of the tiles
trains the centroids, another part is the test.
"""
import io
import sys
import zipfile

import numpy as np
from PIL import Image


class ZipTiles:
    """Map-style dataset: item i is (features, class number)."""

    def __init__(self, path):
        self.path = path
        with zipfile.ZipFile(path) as z:
            self.names = sorted(n for n in z.namelist() if n.endswith(".png"))
        self.zip = None
        self.classes = sorted({n.split("/")[0] for n in self.names})
        self.index = {c: k for k, c in enumerate(self.classes)}

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        name = self.names[i]
        if self.zip is None:      # opened once in each worker
            self.zip = zipfile.ZipFile(self.path)
        raw = self.zip.read(name)
        img = np.asarray(Image.open(io.BytesIO(raw)), dtype=np.float32) / 255.0
        return describe(img), self.index[name.split("/")[0]]


def describe(img):
    """Mean, deviation and texture of each band."""
    mean = img.mean(axis=(0, 1))
    std = img.std(axis=(0, 1))
    dx = np.abs(np.diff(img, axis=1)).mean(axis=(0, 1))
    return np.concatenate([mean, std, dx])


def gather(dataset, indices):
    feats, labels = [], []
    for i in indices:
        f, c = dataset[int(i)]
        feats.append(f)
        labels.append(c)
    return np.array(feats), np.array(labels)


def main(path):
    rng = np.random.default_rng(4)
    tiles = ZipTiles(path)
    order = rng.permutation(len(tiles))
    x, y = gather(tiles, order[:120])
    mu, sd = x.mean(axis=0), x.std(axis=0) + 1e-6
    x = (x - mu) / sd
    centroids = np.array([x[y == k].mean(axis=0) for k in range(len(tiles.classes))])

    xt, yt = gather(tiles, order[120:180])
    xt = (xt - mu) / sd
    d = ((xt[:, None, :] - centroids[None]) ** 2).sum(axis=2)
    pred = d.argmin(axis=1)
    print("tiles", len(tiles), "classes", ", ".join(tiles.classes))
    print(f"accuracy {np.mean(pred == yt):.4f}")
    print(f"mean distance {np.sqrt(d.min(axis=1)).mean():.5f}")


if __name__ == "__main__":
    main(sys.argv[1])
