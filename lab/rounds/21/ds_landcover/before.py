#!/usr/bin/env python
"""Train a two-layer land-cover network on spectra, with checkpoints.

The state (weights, optimiser moments, epoch, best score) is written after
every epoch and must survive a crash of the node; the best one is copied.
"""
import os
import pickle
import shutil
import sys

import numpy as np

BANDS, HIDDEN, CLASSES = 24, 256, 8
EPOCHS = 14
BATCH = 128


def make_data(n, seed):
    """Spectra of CLASSES covers with noise and mixed pixels."""
    pure = np.random.default_rng(0).uniform(0, 1, (CLASSES, BANDS))
    rng = np.random.default_rng(seed)
    y = rng.integers(0, CLASSES, n)
    mix = rng.dirichlet(np.full(CLASSES, 0.4), n)
    x = 0.6 * pure[y] + 0.4 * mix @ pure + rng.normal(0, 0.3, (n, BANDS))
    return (x - 0.5).astype(np.float32), y


class Network:
    def __init__(self, rng):
        self.p = {"w1": rng.normal(0, 0.2, (BANDS, HIDDEN)).astype("f4"),
                  "b1": np.zeros(HIDDEN, "f4"),
                  "w2": rng.normal(0, 0.06, (HIDDEN, CLASSES)).astype("f4"),
                  "b2": np.zeros(CLASSES, "f4")}
        self.m = {k: np.zeros_like(v) for k, v in self.p.items()}
        self.v = {k: np.zeros_like(v) for k, v in self.p.items()}
        self.t = 0

    def forward(self, x):
        h = np.maximum(x @ self.p["w1"] + self.p["b1"], 0)
        z = h @ self.p["w2"] + self.p["b2"]
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return h, e / e.sum(axis=1, keepdims=True)

    def step(self, x, y, lr=1e-3):
        h, q = self.forward(x)
        d = q.copy()
        d[np.arange(len(y)), y] -= 1
        d /= len(y)
        dh = (d @ self.p["w2"].T) * (h > 0)
        grad = {"w2": h.T @ d, "b2": d.sum(0), "w1": x.T @ dh, "b1": dh.sum(0)}
        self.t += 1
        for k, g in grad.items():
            self.m[k] = 0.9 * self.m[k] + 0.1 * g
            self.v[k] = 0.99 * self.v[k] + 0.01 * g * g
            self.p[k] = self.p[k] - lr * self.m[k] / (np.sqrt(self.v[k]) + 1e-7)


def save_checkpoint(state, is_best, filename="checkpoint.pkl"):
    tmp = filename + ".tmp"
    with open(tmp, "wb") as f:
        pickle.dump(state, f, protocol=pickle.HIGHEST_PROTOCOL)
        f.flush()
        os.fsync(f.fileno())
    os.replace(tmp, filename)
    if is_best:
        shutil.copyfile(filename, "model_best.pkl")


def main():
    rng = np.random.default_rng(5)
    x, y = make_data(24000, 1)
    xv, yv = make_data(4000, 2)
    net = Network(rng)
    best = 0.0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(x))
        for s in range(0, len(order), BATCH):
            net.step(x[order[s:s + BATCH]], y[order[s:s + BATCH]])
        acc = float((net.forward(xv)[1].argmax(axis=1) == yv).mean())
        is_best = acc > best
        best = max(acc, best)
        save_checkpoint({"epoch": epoch + 1, "params": net.p, "m": net.m,
                         "v": net.v, "best": best}, is_best)
        print(f"epoch {epoch + 1}: accuracy {acc:.3f}", flush=True)
    with open("model_best.pkl", "rb") as f:
        print(f"best {pickle.load(f)['best']:.3f}")


if __name__ == "__main__":
    sys.exit(main())
