"""Species of Bicyclus butterflies from the eyespots on their wings.

A two-layer perceptron is trained on scanned patches (24 x 24 pixels, one
scan per specimen); patches are mirrored at random as left and right wings
look alike. Batches are made by a helper thread.
"""
import os
import queue
import sys
import threading
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 14
BATCH = 50
HIDDEN = 40
SPECIES = 5
RATE = 0.15


class Batches:
    """Random mirrored batches of all scans, for one epoch after the other."""

    def __init__(self, folder, epochs, seed=4):
        self.files = sorted(Path(folder).glob("*.npy"))
        self.rng = np.random.default_rng(seed)
        self.epochs = epochs
        self.queue = queue.Queue(maxsize=2)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _scan(self, path):
        img = np.load(path)
        return img

    def _run(self):
        for _ in range(self.epochs):
            order = self.rng.permutation(len(self.files))
            for s in range(0, len(order), BATCH):
                x, y = [], []
                for i in order[s:s + BATCH]:
                    img = self._scan(self.files[i])
                    if self.rng.random() < 0.5:
                        img = img[:, ::-1]
                    x.append(img.ravel())
                    y.append(int(self.files[i].name[0]))
                self.queue.put((np.array(x), np.array(y)))
            self.queue.put(None)                     # end of the epoch

    def epoch(self):
        while (item := self.queue.get()) is not None:
            yield item


class Perceptron:
    def __init__(self, n_in, rng):
        self.w1 = rng.normal(0, 1 / np.sqrt(n_in), (n_in, HIDDEN)).astype("f4")
        self.b1 = np.zeros(HIDDEN, "f4")
        self.w2 = rng.normal(0, 1 / np.sqrt(HIDDEN), (HIDDEN, SPECIES)).astype("f4")
        self.b2 = np.zeros(SPECIES, "f4")

    def train(self, x, y):
        h = np.tanh(x @ self.w1 + self.b1)
        z = h @ self.w2 + self.b2
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        hits = int((p.argmax(axis=1) == y).sum())
        loss = -float(np.log(p[np.arange(len(y)), y] + 1e-9).sum())
        p[np.arange(len(y)), y] -= 1
        p /= len(y)
        gh = (p @ self.w2.T) * (1 - h * h)
        self.w2 -= RATE * (h.T @ p)
        self.b2 -= RATE * p.sum(axis=0)
        self.w1 -= RATE * (x.T @ gh)
        self.b1 -= RATE * gh.sum(axis=0)
        return loss, hits


def main():
    net = Perceptron(24 * 24, np.random.default_rng(1))
    data = Batches("scans", EPOCHS)
    for e in range(EPOCHS):
        loss = hits = n = 0
        for x, y in data.epoch():
            dl, dh = net.train(x, y)
            loss, hits, n = loss + dl, hits + dh, n + len(y)
        print(f"epoch {e:2d}  loss {loss / n:.4f}  right {100 * hits / n:.1f} %")
    np.savez("net.npz", w1=net.w1, b1=net.b1, w2=net.w2, b2=net.b2)


if __name__ == "__main__":
    main()
