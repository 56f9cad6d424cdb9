"""Logistic classifier on pooled features of fundus scans."""
import queue
import sys
import threading

import numpy as np

BATCH = 8
_decoded = {}


def read_labels(path):
    table = []
    with open(path) as f:
        for row in f:
            name, label = row.strip().split(",")
            table.append((name, int(label)))
    return table


def load_scan(name):
    if name not in _decoded:
        with np.load("scans/%s.npz" % name) as scan:
            _decoded[name] = scan["image"]
    return _decoded[name]


class ScanFeeder(threading.Thread):
    """Delivers shuffled batches of (images, labels)."""

    def __init__(self, table, epochs, seed):
        super().__init__(daemon=True)
        self.table = table
        self.epochs = epochs
        self.rng = np.random.default_rng(seed)
        self.batches = queue.Queue(maxsize=2)

    def run(self):
        for _ in range(self.epochs):
            order = self.rng.permutation(len(self.table))
            for start in range(0, len(order), BATCH):
                rows = [self.table[i] for i in order[start:start + BATCH]]
                images = np.stack([load_scan(name) for name, _ in rows])
                labels = np.array([label for _, label in rows], dtype=np.float32)
                self.batches.put((images, labels))
        self.batches.put(None)


def pool_features(images):
    n, c, h, w = images.shape
    pooled = images.reshape(n, c, 16, h // 16, 16, w // 16).mean(axis=(3, 5))
    return pooled.reshape(n, -1) / 200.0


def train(feeder, rate):
    weights = None
    bias = 0.0
    losses = []
    while True:
        batch = feeder.batches.get()
        if batch is None:
            break
        x = pool_features(batch[0])
        y = batch[1]
        if weights is None:
            weights = np.zeros(x.shape[1], dtype=np.float32)
        p = 1.0 / (1.0 + np.exp(-(x @ weights + bias)))
        losses.append(float(-np.mean(y * np.log(p + 1e-7) + (1 - y) * np.log(1 - p + 1e-7))))
        weights -= rate * (x.T @ (p - y)) / len(y)
        bias -= rate * float(np.mean(p - y))
    return weights, losses


def main():
    epochs = int(sys.argv[1])
    table = read_labels("scans/labels.csv")
    feeder = ScanFeeder(table, epochs, seed=3)
    feeder.start()
    weights, losses = train(feeder, 0.05)
    np.save("weights.npy", weights)
    print("batches %d  first loss %.4f  last loss %.4f" % (len(losses), losses[0], losses[-1]))


if __name__ == "__main__":
    main()
