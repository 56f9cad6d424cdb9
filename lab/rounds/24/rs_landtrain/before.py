#!/usr/bin/env python3
"""Trains a small two-layer network on land-cover patches, a process decoding ahead.

Structure after Keras' / PyTorch's prefetching loaders: a worker
decodes the next batches while the training step runs.
"""
import argparse
import csv
import multiprocessing as mp
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from PIL import Image


def read_labels(path):
    with open(path, newline="") as f:
        return [(r["file"], int(r["label"])) for r in csv.DictReader(f)]


def decode(path):
    with Image.open(path) as im:
        return np.asarray(im)[::2, ::2].ravel()


def load_batch(job):
    folder, part = job
    return np.stack([decode(os.path.join(folder, f)) for f, _ in part]), np.array([y for _, y in part])


def schedule(folder, rows, epochs, size, seed):
    """The batches of all epochs, each shuffled anew."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        order = rng.permutation(len(rows))
        for s in range(0, len(order), size):
            yield folder, [rows[i] for i in order[s:s + size]]


class Net:
    def __init__(self, n_in, n_hidden, n_out, rng):
        self.w1 = rng.normal(0, 1 / np.sqrt(n_in), (n_in, n_hidden)).astype(np.float32)
        self.w2 = rng.normal(0, 1 / np.sqrt(n_hidden), (n_hidden, n_out)).astype(np.float32)

    def step(self, x, y, lr):
        h = np.maximum(x @ self.w1, 0)
        z = h @ self.w2
        z -= z.max(1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(1, keepdims=True)
        loss = -np.log(p[np.arange(len(y)), y] + 1e-9).sum()
        ok = int((p.argmax(1) == y).sum())
        p[np.arange(len(y)), y] -= 1
        p /= len(y)
        gh = (p @ self.w2.T) * (h > 0)
        self.w2 -= lr * h.T @ p
        self.w1 -= lr * x.T @ gh
        return loss, ok


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("folder")
    ap.add_argument("labels")
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--batch", type=int, default=24)
    ap.add_argument("--hidden", type=int, default=1600)
    ap.add_argument("--workers", type=int, default=1, help="decoding processes")
    a = ap.parse_args()
    try:
        rows = read_labels(a.labels)
    except (OSError, KeyError, ValueError) as e:
        sys.exit(f"{a.labels}: {e}")
    net = Net(48 * 48 * 3, a.hidden, 4, np.random.default_rng(7))
    loss = ok = n = epoch = 0
    with mp.Pool(a.workers) as pool:
        jobs = schedule(a.folder, rows, a.epochs, a.batch, 6)
        for pixels, target in pool.imap(load_batch, jobs):
            l, k = net.step(pixels.astype(np.float32) / 127.5 - 1, target, 0.01)
            loss, ok, n = loss + l, ok + k, n + len(target)
            if n == len(rows):
                epoch += 1
                print(f"epoch {epoch}: loss {loss / n:.3f} accuracy {ok / n:.3f}")
                loss = ok = n = 0


if __name__ == "__main__":
    main()
