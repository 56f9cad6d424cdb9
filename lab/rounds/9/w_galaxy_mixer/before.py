"""Small mixture-of-experts classifier for galaxy spectra, plain numpy.
Parameters and Adam moments are checkpointed after every epoch."""
import argparse
import os

import numpy as np


class Model:
    def __init__(self, experts, dim, hidden, classes, rng):
        self.par = {}
        for e in range(experts):
            self.par[f"expert{e}.w1"] = rng.normal(0, 0.1, (dim, hidden)).astype(np.float32)
            self.par[f"expert{e}.w2"] = rng.normal(0, 0.1, (hidden, classes)).astype(np.float32)
        self.par["gate"] = rng.normal(0, 0.1, (dim, experts)).astype(np.float32)
        self.m = {k: np.zeros_like(v) for k, v in self.par.items()}
        self.v = {k: np.zeros_like(v) for k, v in self.par.items()}
        self.t = 0

    def train_batch(self, x, y):
        experts = self.par["gate"].shape[1]
        pick = (x @ self.par["gate"]).argmax(axis=1)
        loss = 0.0
        self.t += 1
        for e in range(experts):
            rows = np.flatnonzero(pick == e)
            if rows.size == 0:
                continue
            xe, w1, w2 = x[rows], self.par[f"expert{e}.w1"], self.par[f"expert{e}.w2"]
            h = np.maximum(xe @ w1, 0)
            z = h @ w2
            z -= z.max(axis=1, keepdims=True)
            p = np.exp(z)
            p /= p.sum(axis=1, keepdims=True)
            loss -= np.log(p[np.arange(rows.size), y[rows]] + 1e-9).sum()
            p[np.arange(rows.size), y[rows]] -= 1
            p /= rows.size
            g1 = xe.T @ ((p @ w2.T) * (h > 0))
            self.update(f"expert{e}.w2", h.T @ p)
            self.update(f"expert{e}.w1", g1)
        return loss / len(x)

    def update(self, k, g, lr=2e-3):
        self.m[k] = 0.9 * self.m[k] + 0.1 * g
        self.v[k] = 0.99 * self.v[k] + 0.01 * g * g
        self.par[k] -= lr * self.m[k] / (np.sqrt(self.v[k]) + 1e-7)


def save_checkpoint(model, folder, rows_per_shard=4):
    os.makedirs(folder, exist_ok=True)
    index = []
    for kind, tensors in (("par", model.par), ("m", model.m), ("v", model.v)):
        for name, a in tensors.items():
            for s, lo in enumerate(range(0, a.shape[0], rows_per_shard)):
                shard = f"{kind}.{name}.{s:04d}.npy"
                np.save(os.path.join(folder, shard), a[lo:lo + rows_per_shard])
                index.append(shard)
    with open(os.path.join(folder, "index.txt"), "w") as f:
        f.write("\n".join(index) + "\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--experts", type=int, default=8)
    args = ap.parse_args()
    rng = np.random.default_rng(2024)
    x = rng.standard_normal((5120, 96)).astype(np.float32)
    y = (np.abs(x[:, :10]).argmax(axis=1)).astype(np.int64)
    model = Model(args.experts, 96, 64, 10, rng)
    for epoch in range(args.epochs):
        order = rng.permutation(len(x))
        losses = [model.train_batch(x[order[b:b + 256]], y[order[b:b + 256]])
                  for b in range(0, len(x), 256)]
        save_checkpoint(model, f"ckpt_{epoch:03d}")
        print(f"epoch {epoch} loss {np.mean(losses):.5f}")


if __name__ == "__main__":
    main()
