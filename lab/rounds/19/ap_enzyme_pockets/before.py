#!/usr/bin/env python3
"""Train a tiny logistic scorer for druggable enzyme pockets.

The data set follows the usual map-style interface (len + getitem); the arrays
stay on disc and are mapped so that several trainers can share one node.
"""
import os
import sys

import numpy as np


class PocketDataset:
    """One pocket = 48 atoms with coordinates and partial charges."""

    FIELDS = ("coords", "charge", "label")

    def __init__(self, root):
        self.root = root
        self.n = len(np.load(self._path("label")))

    def _path(self, field):
        return os.path.join(self.root, field + ".npy")

    def _field(self, field):
        return np.load(self._path(field), mmap_mode="r")

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        xyz = np.array(self._field("coords")[i])
        q = np.array(self._field("charge")[i])
        y = int(self._field("label")[i])
        return xyz, q, y


def descriptor(xyz, q):
    """Radial charge moments, 8 shells."""
    r = np.sqrt(((xyz - xyz.mean(0)) ** 2).sum(1))
    shell = np.minimum((r * 3).astype(int), 7)
    f = np.bincount(shell, weights=q, minlength=8)
    return np.append(f, 1.0)


def batches(ds, size, rng):
    order = rng.permutation(len(ds))
    for k in range(0, len(order), size):
        feats, ys = [], []
        for i in order[k:k + size]:
            xyz, q, y = ds[int(i)]
            feats.append(descriptor(xyz, q))
            ys.append(y)
        yield np.array(feats), np.array(ys)


def step(w, x, y, lr):
    p = 1 / (1 + np.exp(-x @ w))
    loss = -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))
    return w - lr * x.T @ (p - y) / len(y), loss


def evaluate(ds, w):
    hits = 0
    for x, y in batches(ds, 100, np.random.default_rng(0)):
        hits += int(((x @ w > 0) == (y == 1)).sum())
    return hits / len(ds)


def save_checkpoint(path, w, epoch):
    tmp = path + ".tmp.npz"
    np.savez(tmp, w=w, epoch=epoch)
    os.replace(tmp, path)


def main(epochs):
    train, valid = PocketDataset("train"), PocketDataset("valid")
    rng = np.random.default_rng(17)
    w = np.zeros(9)
    for ep in range(epochs):
        losses = []
        for x, y in batches(train, 32, rng):
            w, loss = step(w, x, y, 0.05)
            losses.append(loss)
        acc = evaluate(valid, w)
        save_checkpoint("pockets.npz", w, ep)
        print("epoch %d loss %.6f acc %.4f" % (ep, np.mean(losses), acc))
    print("weights %.8f" % np.abs(w).sum())


if __name__ == "__main__":
    main(int(sys.argv[1]))
