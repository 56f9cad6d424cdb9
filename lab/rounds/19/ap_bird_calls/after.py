#!/usr/bin/env python3
"""Train a nearest-centroid call classifier on archived field recordings.

One background process prepares samples, the trainer takes them off a queue.
"""
import csv
import lzma
import multiprocessing as mp
import os
import sys

import numpy as np

RATE = 24000
BANDS = 24


class CallArchive:
    """Clips are 16 bit mono, kept xz-compressed as they left the recorder."""

    def __init__(self, folder, labelfile):
        self.folder = folder
        with open(labelfile) as fh:
            self.items = [(r[0], int(r[1])) for r in csv.reader(fh)]
        self.decoded = {}

    def __len__(self):
        return len(self.items)

    def raw(self, i):
        with open(os.path.join(self.folder, self.items[i][0]), "rb") as fh:
            return fh.read()

    def wave(self, i):
        if i not in self.decoded:
            self.decoded[i] = np.frombuffer(lzma.decompress(self.raw(i)), dtype="<i2").astype("f4") / 32768
        return self.decoded[i]

    def label(self, i):
        return self.items[i][1]


def augment(x, rng):
    gain = rng.uniform(0.7, 1.2)
    shift = int(rng.integers(0, RATE // 4))
    return np.roll(x, shift) * gain


def band_energy(x):
    frames = x[: len(x) // 512 * 512].reshape(-1, 512) * np.hanning(512).astype("f4")
    spec = np.abs(np.fft.rfft(frames, axis=1))[:, :240] ** 2
    return np.log1p(spec.reshape(len(spec), BANDS, -1).sum(2)).mean(0)


def producer(archive, epochs, seed, queue):
    rng = np.random.default_rng(seed)
    for ep in range(epochs):
        for i in rng.permutation(len(archive)):
            x = augment(archive.wave(int(i)), rng)
            queue.put((ep, archive.label(int(i)), band_energy(x)))
    queue.put(None)


class Centroids:
    def __init__(self, k):
        self.c = np.zeros((k, BANDS))
        self.n = np.zeros(k)

    def update(self, y, f):
        self.n[y] += 1
        self.c[y] += (f - self.c[y]) / self.n[y]

    def predict(self, f):
        return int(((self.c - f) ** 2).sum(1).argmin())


def main():
    epochs = int(sys.argv[1])
    archive = CallArchive("clips", "labels.csv")
    queue = mp.Queue(maxsize=16)
    worker = mp.Process(target=producer, args=(archive, epochs, 21, queue))
    worker.start()
    model = Centroids(4)
    right = [0] * epochs
    while True:
        item = queue.get()
        if item is None:
            break
        ep, y, feat = item
        right[ep] += model.predict(feat) == y
        model.update(y, feat)
    worker.join()
    np.save("centroids.npy", model.c)
    print("right", right, "norm %.6f" % np.linalg.norm(model.c))


if __name__ == "__main__":
    main()
