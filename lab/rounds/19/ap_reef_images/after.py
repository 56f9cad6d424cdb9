#!/usr/bin/env python3
"""Regress live coral cover from seabed photo quadrats.

Photo frames live in one HDF5 file; a lazy data set opens it on first use so
that it can be pickled to loader workers, as is customary with torch loaders.
"""
import json
import sys

import h5py
import numpy as np


class ReefDataset:
    def __init__(self, path, transects):
        self.path = path
        self._h5 = None
        with h5py.File(path, "r") as f:
            t = f["transect"][:]
            self.cover = f["cover"][:]
        self.index = np.flatnonzero(np.isin(t, transects))

    @property
    def h5(self):
        if self._h5 is None:
            self._h5 = h5py.File(self.path, "r")
            self.frames = self._h5["frames"][:]
        return self._h5

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        self.h5
        i = int(self.index[k])
        return self.frames[i], float(self.cover[i])

    def close(self):
        if self._h5 is not None:
            self._h5.close()


class RandomSampler:
    def __init__(self, n, rng, num_samples):
        self.n, self.rng, self.num = n, rng, num_samples

    def __iter__(self):
        return iter(self.rng.permutation(self.n)[:self.num])


def collate(samples):
    x = np.stack([features(s[0]) for s in samples])
    return x, np.array([s[1] for s in samples])


def features(img):
    im = img.astype("f4") / 255.0
    gx = np.abs(np.diff(im, axis=0)).mean((0, 1))
    gy = np.abs(np.diff(im, axis=1)).mean((0, 1))
    return np.concatenate([im.mean((0, 1)), im.std((0, 1)), gx, gy, [1.0]])


def loader(ds, sampler, batch):
    buf = []
    for k in sampler:
        buf.append(ds[k])
        if len(buf) == batch:
            yield collate(buf)
            buf = []
    if buf:
        yield collate(buf)


def main():
    path, epochs, per_epoch = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    ds = ReefDataset(path, list(range(9)))
    rng = np.random.default_rng(3)
    w = np.zeros(13)
    history = []
    for ep in range(epochs):
        losses = []
        for x, y in loader(ds, RandomSampler(len(ds), rng, per_epoch), 16):
            err = x @ w - y
            losses.append(float((err ** 2).mean()))
            w -= 0.05 * x.T @ err / len(y)
        history.append({"epoch": ep, "mse": round(float(np.mean(losses)), 7)})
    ds.close()
    with open("history.json", "w") as f:
        json.dump(history, f)
    print("mse", " ".join("%.6f" % h["mse"] for h in history), "w %.6f" % np.abs(w).sum())


if __name__ == "__main__":
    main()
