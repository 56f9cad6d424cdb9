#!/usr/bin/env python
"""Next-item model on click sessions: item bigram statistics by sampling.

The sessions are one long stream of item ids (uint16) per split.  Batches are
random windows of the stream, as in small language-model trainers.  The model
is a smoothed table of transitions between the most frequent items.
"""
import os
import sys

import numpy as np

BATCH = 64
BLOCK = 32
VOCAB = 256       # items above are folded into the last one
STEPS = 400
EVAL_STEPS = 60


class WindowDataset:
    """Random windows of one split."""

    def __init__(self, folder, split):
        self.path = os.path.join(folder, split + ".bin")
        self.data = np.memmap(self.path, dtype=np.uint16, mode="r")
        self.tokens = os.path.getsize(self.path) // 2

    def __len__(self):
        return self.tokens - BLOCK - 1

    def __getitem__(self, i):
        data = self.data
        x = np.array(data[i:i + BLOCK])
        y = np.array(data[i + 1:i + 1 + BLOCK])
        return x, y


def get_batch(dataset, rng):
    ix = rng.integers(0, len(dataset), BATCH)
    pairs = [dataset[int(i)] for i in ix]
    x = np.stack([p[0] for p in pairs])
    y = np.stack([p[1] for p in pairs])
    return np.minimum(x, VOCAB - 1), np.minimum(y, VOCAB - 1)


class Bigram:
    def __init__(self):
        self.counts = np.full(VOCAB * VOCAB, 0.1)

    def update(self, x, y):
        key = x.astype(np.int64).ravel() * VOCAB + y.ravel()
        self.counts += np.bincount(key, minlength=VOCAB * VOCAB)

    def loss(self, x, y):
        table = self.counts.reshape(VOCAB, VOCAB)
        p = table[x, y] / table.sum(axis=1)[x]
        return float(-np.log(p).mean())


def main(folder):
    rng = np.random.default_rng(1337)
    train = WindowDataset(folder, "train")
    val = WindowDataset(folder, "val")
    model = Bigram()
    for step in range(STEPS):
        x, y = get_batch(train, rng)
        model.update(x, y)
        if step % 100 == 99:
            print(f"step {step + 1}: train loss {model.loss(x, y):.5f}")
    losses = [model.loss(*get_batch(val, rng)) for _ in range(EVAL_STEPS)]
    print(f"validation loss {np.mean(losses):.5f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
