"""Train a small network that tells elliptical, spiral and ring galaxies apart.

usage: train.py labels.txt epochs
"""
import gzip
import os
import queue
import sys
import threading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")   # the matrices are small
import numpy as np

SIDE = 24
HIDDEN = 48
CLASSES = 3
BATCH = 40
RATE = 0.02
MOMENTUM = 0.9


class Cutouts:
    """List of galaxy cut-outs with their labels."""

    def __init__(self, listing):
        with open(listing) as f:
            rows = [line.split() for line in f]
        self.names = [r[0] for r in rows]
        self.labels = np.array([int(r[1]) for r in rows])
        self.images = [self.decode(name) for name in self.names]

    def __len__(self):
        return len(self.names)

    def image(self, k):
        return self.images[k]

    @staticmethod
    def decode(name):
        with gzip.open(name, "rb") as f:
            counts = np.frombuffer(f.read(), dtype=np.uint16)
        img = np.arcsinh((counts.astype(np.float32) - 100.0) / 50.0)
        return (img - img.mean()) / (img.std() + 1e-3)


class Loader(threading.Thread):
    """Prepares shuffled batches in the background, two ahead of the training."""

    def __init__(self, data, epochs, seed):
        super().__init__(daemon=True)
        self.data, self.epochs = data, epochs
        self.rng = np.random.default_rng(seed)
        self.ready = queue.Queue(maxsize=2)

    def run(self):
        for _ in range(self.epochs):
            order = self.rng.permutation(len(self.data))
            flips = self.rng.integers(0, 4, len(self.data))
            for lo in range(0, len(order) - BATCH + 1, BATCH):
                picked = order[lo:lo + BATCH]
                x = np.stack([self.turned(self.data.image(k), flips[k]) for k in picked])
                self.ready.put((x, self.data.labels[picked]))
            self.ready.put(None)

    @staticmethod
    def turned(img, quarter):
        return np.rot90(img.reshape(SIDE, SIDE), quarter).ravel()


class Network:
    def __init__(self, rng):
        self.w1 = rng.normal(0, 1 / SIDE, (SIDE * SIDE, HIDDEN)).astype(np.float32)
        self.b1 = np.zeros(HIDDEN, np.float32)
        self.w2 = rng.normal(0, 1 / np.sqrt(HIDDEN), (HIDDEN, CLASSES)).astype(np.float32)
        self.b2 = np.zeros(CLASSES, np.float32)
        self.speed = [np.zeros_like(p) for p in self.parameters()]

    def parameters(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def step(self, x, label):
        h = np.maximum(x @ self.w1 + self.b1, 0)
        z = h @ self.w2 + self.b2
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        rows = np.arange(len(label))
        loss = -np.log(p[rows, label] + 1e-9).mean()
        right = int((p.argmax(axis=1) == label).sum())
        p[rows, label] -= 1
        p /= len(label)
        dh = (p @ self.w2.T) * (h > 0)
        grads = [x.T @ dh, dh.sum(axis=0), h.T @ p, p.sum(axis=0)]
        for par, speed, g in zip(self.parameters(), self.speed, grads):
            speed *= MOMENTUM
            speed -= RATE * g
            par += speed
        return float(loss), right


def main():
    listing = sys.argv[1] if len(sys.argv) > 1 else "labels.txt"
    epochs = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    data = Cutouts(listing)
    net = Network(np.random.default_rng(1))
    loader = Loader(data, epochs, seed=2)
    loader.start()
    for epoch in range(epochs):
        losses, right, seen = [], 0, 0
        while (batch := loader.ready.get()) is not None:
            loss, ok = net.step(*batch)
            losses.append(loss)
            right += ok
            seen += BATCH
        print("epoch %2d  loss %.4f  right %.3f" % (epoch + 1, np.mean(losses), right / seen))
    np.savez("network.npz", *net.parameters())


if __name__ == "__main__":
    main()
