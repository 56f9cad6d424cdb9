"""Regression of galaxy axis ratios with a two-layer network; shards are read
by a background thread while the previous shard is being fitted."""
import glob
import os
import queue
import sys
import threading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

BATCH = 64


class ShardReader(threading.Thread):
    """Reads shards ahead of the fit; the queue holds at most `ahead` of them."""

    def __init__(self, paths, epochs, ahead=3):
        super().__init__(daemon=True)
        self.paths = paths
        self.epochs = epochs
        self.out = queue.Queue(ahead)

    def run(self):
        for epoch in range(self.epochs):
            order = np.random.default_rng(epoch).permutation(len(self.paths))
            for k in order:
                shard = np.load(self.paths[k])
                self.out.put((epoch, shard[:, :-1], shard[:, -1]))
        self.out.put(None)

    def __iter__(self):
        self.start()
        while (item := self.out.get()) is not None:
            yield item


class Regressor:
    def __init__(self, nin, widths=(256, 128), seed=0):
        rng = np.random.default_rng(seed)
        sizes = (nin, *widths, 1)
        self.w = [rng.normal(0, (2.0 / a) ** 0.5, (a, b)).astype(np.float32) for a, b in zip(sizes, sizes[1:])]
        self.b = [np.zeros(b, dtype=np.float32) for b in sizes[1:]]
        self.m = [np.zeros_like(w) for w in self.w]

    def forward(self, x):
        acts = [x]
        for k, (w, b) in enumerate(zip(self.w, self.b)):
            x = x @ w + b
            if k + 1 < len(self.w):
                x = np.maximum(x, 0)
            acts.append(x)
        return acts

    def fit_batch(self, x, q, rate):
        acts = self.forward(x)
        d = (acts[-1][:, 0] - q)[:, None] / len(q)
        loss = float(np.mean((acts[-1][:, 0] - q) ** 2))
        for k in range(len(self.w) - 1, -1, -1):
            gw, gb = acts[k].T @ d, d.sum(axis=0)
            if k:
                d = (d @ self.w[k].T) * (acts[k] > 0)
            self.m[k] = 0.9 * self.m[k] + gw
            self.w[k] -= rate * self.m[k]
            self.b[k] -= rate * gb
        return loss

    def save(self, path):
        tmp = path + ".part"
        with open(tmp, "wb") as f:
            for a in (*self.w, *self.b):
                np.save(f, a)
        os.replace(tmp, path)


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    inner = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    paths = sorted(glob.glob("shard_*.npy"))
    model = Regressor(1024)
    history = {}
    for epoch, img, q in ShardReader(paths, epochs):
        for _ in range(inner):
            for lo in range(0, len(q), BATCH):
                loss = model.fit_batch(img[lo:lo + BATCH], q[lo:lo + BATCH], 2e-3)
        history.setdefault(epoch, []).append(loss)
    model.save("regressor.npy")
    with open("history.txt", "w") as log:
        for epoch, losses in history.items():
            print(epoch, f"{np.mean(losses):.6f}", file=log, flush=True)
    print(f"{epochs} epochs, last loss {np.mean(history[epochs - 1]):.4f}")


if __name__ == "__main__":
    main()
