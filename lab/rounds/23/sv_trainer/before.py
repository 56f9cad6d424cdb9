#!/usr/bin/env python3
"""Train a small galaxy-morphology network on patches in an HDF5-free binary set.

The loop (arguments, epochs, data loader, train, test, log interval) has the structure of the
PyTorch MNIST example, rewritten on numpy.
usage: trainer.py patches.u8 labels.u8 [--epochs N] [--batch N]
"""
import argparse
import os
import queue
import threading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")     # the node is shared

import numpy as np

SIDE = 28


class Patches:
    def __init__(self, data, labels):
        self.labels = np.fromfile(labels, dtype="u1")
        self.data = np.memmap(data, dtype="u1", mode="r", shape=(len(self.labels), SIDE * SIDE))

    def __len__(self):
        return len(self.labels)

    def batch(self, rows):
        x = self.data[np.sort(rows)].astype("f4") / 255 - 0.3
        return x, self.labels[np.sort(rows)]


class Loader:
    """Batches in shuffled order, made by a thread ahead of the consumer."""

    def __init__(self, data, rows, size, seed, ahead=4):
        self.data, self.size, self.ahead = data, size, ahead
        self.rows = np.random.default_rng(seed).permutation(rows)

    def __iter__(self):
        box = queue.Queue(self.ahead)

        def produce():
            for k in range(0, len(self.rows), self.size):
                box.put(self.data.batch(self.rows[k:k + self.size]))
            box.put(None)

        threading.Thread(target=produce, daemon=True).start()
        while (item := box.get()) is not None:
            yield item


class Network:
    def __init__(self, seed, hidden=384, classes=4):
        rng = np.random.default_rng(seed)
        self.w = [rng.normal(0, .03, s).astype("f4") for s in ((SIDE * SIDE, hidden), (hidden, hidden), (hidden, classes))]

    def forward(self, x):
        a = [x]
        for w in self.w[:-1]:
            a.append(np.maximum(a[-1] @ w, 0))
        z = a[-1] @ self.w[-1]
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        return a, p / p.sum(axis=1, keepdims=True)

    def train(self, x, y, rate):
        a, p = self.forward(x)
        loss = -np.log(p[np.arange(len(y)), y] + 1e-9).mean()
        g = p
        g[np.arange(len(y)), y] -= 1
        g /= len(y)
        for k in reversed(range(len(self.w))):
            back = (g @ self.w[k].T) * (a[k] > 0)
            self.w[k] -= rate * (a[k].T @ g)
            g = back
        return float(loss)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("data")
    ap.add_argument("labels")
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--batch", type=int, default=128)
    args = ap.parse_args()
    data = Patches(args.data, args.labels)
    cut = len(data) * 9 // 10
    net = Network(1)
    for epoch in range(args.epochs):
        loss = [net.train(x, y, 0.05) for x, y in Loader(data, np.arange(cut), args.batch, epoch)]
        right = sum(int((net.forward(x)[1].argmax(axis=1) == y).sum())
                    for x, y in Loader(data, np.arange(cut, len(data)), 512, 0))
        print(f"epoch {epoch}: loss {np.mean(loss):.3f}, accuracy {right / (len(data) - cut):.3f}")


if __name__ == "__main__":
    main()
