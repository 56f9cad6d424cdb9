#!/usr/bin/env python3
"""Skip-gram embeddings with negative sampling.

The update is that of word2vec.c (tmikolov/word2vec), done in batches.
"""
import argparse
import os
import sys

import numpy as np

WINDOW = 3
NEG = 6


class Corpus:
    def __init__(self, path):
        size = os.path.getsize(path)
        if size % 2:
            raise ValueError(f"{path}: odd size {size}")
        self.tokens = np.memmap(path, dtype=np.uint16, mode="r")

    def vocab_size(self):
        return int(self.tokens.max()) + 1

    def pairs(self, rng, n):
        """n centre tokens at random places and one neighbour of each."""
        at = rng.integers(WINDOW, len(self.tokens) - WINDOW, n)
        shift = rng.integers(1, WINDOW + 1, n) * rng.choice((-1, 1), n)
        return self.tokens[at].astype(np.int64), self.tokens[at + shift].astype(np.int64)


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def step(U, V, centre, context, negative, lr):
    h = U[centre]
    pos = V[context]
    neg = V[negative]
    gp = sigmoid((h * pos).sum(1)) - 1.0
    gn = sigmoid(np.einsum("nd,nkd->nk", h, neg))
    loss = -np.log(1e-9 + gp + 1.0).mean()
    dh = gp[:, None] * pos + np.einsum("nk,nkd->nd", gn, neg)
    np.subtract.at(V, context, lr * gp[:, None] * h)
    np.subtract.at(V, negative.ravel(),
                   (lr * gn[:, :, None] * h[:, None, :]).reshape(-1, h.shape[1]))
    np.subtract.at(U, centre, lr * dh)
    return loss


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("corpus")
    ap.add_argument("--dim", type=int, default=48)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--steps", type=int, default=500)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--out", default="emb.npy")
    args = ap.parse_args()
    rng = np.random.default_rng(3)
    corpus = Corpus(args.corpus)
    n = corpus.vocab_size()
    U = (rng.random((n, args.dim), dtype=np.float32) - 0.5) / args.dim
    V = np.zeros((n, args.dim), dtype=np.float32)
    mean = 0.0
    for it in range(args.steps):
        centre, context = corpus.pairs(rng, args.batch)
        negative = rng.integers(0, n, (args.batch, NEG))
        loss = step(U, V, centre, context, negative, args.lr)
        mean = loss if it == 0 else 0.98 * mean + 0.02 * loss
        if it % 300 == 299:
            print(f"{it + 1:6d} {mean:.4f}")
    np.save(args.out, U)
    print(f"{n} words, |U| {float(np.abs(U).mean()):.6f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
