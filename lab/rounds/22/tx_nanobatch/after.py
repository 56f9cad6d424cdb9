#!/usr/bin/env python3
"""Bigram language model over a packed token file, numpy only.

Batches are drawn as get_batch() in karpathy/nanoGPT train.py draws them.
"""
import argparse
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

VOCAB = 96
LANGS = 4


class PackedTokens:
    """Windows of `block` tokens with the language of the first token."""

    def __init__(self, folder, block):
        self.tokens = os.path.join(folder, "train.bin")
        self.langs = os.path.join(folder, "lang.bin")
        self.block = block
        self.length = os.path.getsize(self.tokens) // 2
        if os.path.getsize(self.langs) != self.length:
            raise ValueError("train.bin and lang.bin differ in length")
        self.data = np.memmap(self.tokens, dtype=np.uint16, mode="r")
        self.lang = np.memmap(self.langs, dtype=np.uint8, mode="r")

    def __len__(self):
        return self.length - self.block

    def __getitem__(self, i):
        data, lang = self.data, self.lang
        x = np.array(data[i:i + self.block], dtype=np.int64)
        y = np.array(data[i + 1:i + 1 + self.block], dtype=np.int64)
        return x, y, int(lang[i])


def get_batch(ds, batch, rng):
    ix = rng.integers(0, len(ds), batch)
    items = [ds[int(i)] for i in ix]
    x = np.stack([it[0] for it in items])
    y = np.stack([it[1] for it in items])
    g = np.array([it[2] for it in items])
    return x, y, g


def step(W, B, x, y, g, lr):
    logits = W[x] + B[g][:, None, :]
    logits -= logits.max(-1, keepdims=True)
    p = np.exp(logits)
    p /= p.sum(-1, keepdims=True)
    rows = np.arange(x.size)
    flat = p.reshape(-1, VOCAB)
    loss = -np.log(flat[rows, y.ravel()] + 1e-9).mean()
    flat[rows, y.ravel()] -= 1.0
    onehot = np.zeros((x.size, VOCAB), dtype=np.float32)
    onehot[rows, x.ravel()] = 1.0
    W -= lr * (onehot.T @ flat) / len(x)
    np.subtract.at(B, g, lr * p.mean(1) / len(x))
    return loss


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--data", default="data")
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--block", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.5)
    ap.add_argument("--out", default="bigram.npy")
    args = ap.parse_args()
    rng = np.random.default_rng(7)
    ds = PackedTokens(args.data, args.block)
    W = np.zeros((VOCAB, VOCAB), dtype=np.float32)
    B = np.zeros((LANGS, VOCAB), dtype=np.float32)
    for it in range(args.steps):
        loss = step(W, B, *get_batch(ds, args.batch, rng), args.lr)
        if it % 40 == 0:
            print(f"step {it} loss {loss:.3f}")
    np.save(args.out, W)
    print(f"final loss {loss:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
