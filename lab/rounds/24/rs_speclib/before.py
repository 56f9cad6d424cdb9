#!/usr/bin/env python3
"""Nearest-centroid material classifier on a spectral library kept as pickled shards."""
import argparse
import collections
import os
import pickle
import sys

import numpy as np


class SpectralLibrary:
    """Shards of spectra with an index (shard file, position)."""

    def __init__(self, root):
        self.root = root
        with open(os.path.join(root, "index.pkl"), "rb") as f:
            index = pickle.load(f)
        self.materials = index["materials"]
        self.items = index["items"]
        self.code = {m: i for i, m in enumerate(self.materials)}

    def __len__(self):
        return len(self.items)

    def shard(self, name):
        with open(os.path.join(self.root, name), "rb") as f:
            return pickle.load(f)

    def __getitem__(self, i):
        name, pos = self.items[i]
        rec = self.shard(name)[pos]
        return np.asarray(rec["spectrum"], dtype=np.float64), self.code[rec["material"]]


def continuum_removed(spec):
    """Divide by the upper envelope (piecewise maximum over 20 bands)."""
    env = spec.reshape(-1, 20).max(1)
    return spec / np.interp(np.arange(spec.size), np.arange(env.size) * 20 + 10, env)


def split(n, share, rng):
    order = rng.permutation(n)
    cut = int(n * share)
    return order[:cut], order[cut:]


def centroids(lib, ids):
    total = collections.defaultdict(float)
    count = collections.Counter()
    for i in ids:
        spec, y = lib[i]
        total[y] = total[y] + continuum_removed(spec)
        count[y] += 1
    return np.array([total[k] / count[k] for k in range(len(lib.materials))])


def evaluate(lib, ids, cents):
    matrix = np.zeros((len(cents), len(cents)), int)
    for i in ids:
        spec, y = lib[i]
        cos = cents @ continuum_removed(spec) / np.linalg.norm(cents, axis=1)
        matrix[y, int(cos.argmax())] += 1
    return matrix


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("library")
    ap.add_argument("--train", type=float, default=0.6)
    ap.add_argument("--limit", type=int, default=1600)
    ap.add_argument("--out", default="confusion.csv")
    a = ap.parse_args()
    try:
        lib = SpectralLibrary(a.library)
    except (OSError, KeyError, pickle.UnpicklingError) as e:
        sys.exit(f"{a.library}: {e}")
    train, test = split(len(lib), a.train, np.random.default_rng(4))
    train, test = train[:int(a.limit * a.train)], test[:int(a.limit * (1 - a.train))]
    cents = centroids(lib, train)
    m = evaluate(lib, test, cents)
    np.savetxt(a.out, m, fmt="%d", delimiter=",", header=",".join(lib.materials))
    print(f"{len(train)} training, {len(test)} test spectra, accuracy {np.trace(m) / m.sum():.4f}")
    for name, row in zip(lib.materials, m):
        print(f"  {name:12s} {row}")


if __name__ == "__main__":
    main()
