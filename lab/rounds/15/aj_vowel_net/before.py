"""Vowel recognition from cepstra: training with a loader thread.

The recordings are one array on disk (cepstra.npy, frames x coefficients, sorted by
speaker); a loader thread takes whole blocks of it, adds noise and hands them over.

    python vowel_net.py EPOCHS
"""
import os
import queue
import sys
import threading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 4
BLOCK = 1024
HIDDEN = 96
VOWELS = 8


class BlockLoader(threading.Thread):
    """Puts (cepstra, vowel) blocks of one epoch into a queue."""

    def __init__(self, path, depth=4, seed=0):
        super().__init__(daemon=True)
        self.frames = np.load(path, mmap_mode="r")
        self.queue = queue.Queue(depth)
        self.rng = np.random.default_rng(seed)

    def run(self):
        for start in range(0, len(self.frames), BLOCK):
            block = np.array(self.frames[start:start + BLOCK])
            x, y = block[:, 1:], block[:, 0].astype(int)
            x = x + self.rng.normal(0, 0.05, (1, x.shape[1])).astype(np.float32)
            self.queue.put((x, y))
        self.queue.put(None)

    def __iter__(self):
        return iter(self.queue.get, None)


class Net:
    def __init__(self, n_in, rng):
        sizes = [n_in, HIDDEN, HIDDEN, VOWELS]
        self.w = [rng.normal(0, (2 / a) ** 0.5, (a, b)).astype(np.float32)
                  for a, b in zip(sizes, sizes[1:])]
        self.v = [np.zeros_like(w) for w in self.w]

    def train(self, x, y, rate):
        acts = [x]
        for w in self.w[:-1]:
            acts.append(np.maximum(acts[-1] @ w, 0))
        z = acts[-1] @ self.w[-1]
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        rows = np.arange(len(y))
        loss = -np.log(p[rows, y] + 1e-9).mean()
        p[rows, y] -= 1
        delta = p / len(y)
        for k in reversed(range(len(self.w))):
            grad = acts[k].T @ delta
            if k:
                delta = (delta @ self.w[k].T) * (acts[k] > 0)
            self.v[k] = 0.9 * self.v[k] - rate * grad
            self.w[k] += self.v[k]
        return loss

    def accuracy(self, x, y):
        for w in self.w[:-1]:
            x = np.maximum(x @ w, 0)
        return float(((x @ self.w[-1]).argmax(axis=1) == y).mean())


def main():
    rng = np.random.default_rng(1952)
    net = Net(39, rng)
    x = y = None
    for epoch in range(EPOCHS):
        losses = []
        loader = BlockLoader("cepstra.npy", seed=epoch)
        loader.start()
        for x, y in loader:
            for _ in range(2):                       # two passes over a block in memory
                losses.append(net.train(x, y, rate=0.01))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, "
              f"last block {net.accuracy(x, y):.3f} correct")
    np.savez("net.npz", *net.w)


if __name__ == "__main__":
    main()
