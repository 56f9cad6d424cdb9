#!/usr/bin/env python
"""Train a logistic click model on sharded impressions.

Loader workers get and unpack the shards and hash the crossed features; the
parent does the gradient steps.  The shards are in a bucket; here a folder
stands for it, with the usual time to the first byte.
"""
import multiprocessing as mp
import os
import pickle
import sys
import time
import zlib

import numpy as np

BUCKETS = 1 << 15
WORKERS = 3
FIRST_BYTE = 0.012     # seconds


def crossed(ids):
    """Hash all neighbouring pairs of the categorical columns."""
    cols = []
    for k in range(ids.shape[1] - 1):
        a = ids[:, k].astype(np.uint64)
        b = ids[:, k + 1].astype(np.uint64)
        h = a * np.uint64(0x9E3779B97F4A7C15) ^ (b * np.uint64(0xC2B2AE3D27D4EB4F))
        h ^= h >> np.uint64(29)
        for _ in range(6):
            h = h * np.uint64(0xBF58476D1CE4E5B9)
            h ^= h >> np.uint64(32)
        cols.append((h % np.uint64(BUCKETS)).astype(np.int32))
    return np.stack(cols, axis=1)


def bucket_get(path):
    """Stand-in of the object store."""
    time.sleep(FIRST_BYTE)
    with open(path, "rb") as f:
        return f.read()


def load_shard(path):
    """Runs in a worker: one shard as (bucket numbers, clicks)."""
    ids, clicks = pickle.loads(zlib.decompress(bucket_get(path)))
    x = crossed(ids)
    # drop impressions that are exact repeats
    _, first = np.unique(x[:, :6], axis=0, return_index=True)
    first.sort()
    return x[first], clicks[first]


def batches(pool, paths):
    for path in paths:
        yield pool.apply(load_shard, (path,))


class ClickModel:
    def __init__(self, lr=0.05):
        self.w = np.zeros(BUCKETS, np.float64)
        self.b = -1.5
        self.lr = lr

    def step(self, x, y):
        z = self.w[x].sum(axis=1) + self.b
        p = 1 / (1 + np.exp(-z))
        g = p - y
        grad = np.bincount(x.ravel(), weights=np.repeat(g, x.shape[1]), minlength=BUCKETS)
        self.w -= self.lr * grad
        self.b -= self.lr * g.mean()
        eps = 1e-9
        return float(-(y * np.log(p + eps) + (1 - y) * np.log(1 - p + eps)).mean())


def main(folder, epochs=2):
    paths = sorted(os.path.join(folder, n) for n in os.listdir(folder))
    model = ClickModel()
    with mp.Pool(WORKERS) as pool:
        for epoch in range(epochs):
            losses = [model.step(x, y) for x, y in batches(pool, paths)]
            print(f"epoch {epoch}: loss {np.mean(losses):.6f} over {len(losses)} shards")
    print(f"bias {model.b:.6f}  |w| {np.linalg.norm(model.w):.6f}")


if __name__ == "__main__":
    main(sys.argv[1])
