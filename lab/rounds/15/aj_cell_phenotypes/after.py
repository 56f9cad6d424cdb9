"""Phenotypes of stained cells: a small network trained on microscope crops.

Every crop of the screening plate is a file of its own (128 x 128 pixels, 16 bit).
A crop is binned, log-scaled and normalised; a two-layer network learns the four
phenotypes.  A background thread provides the batches.

    python cell_phenotypes.py EPOCHS
"""
import os
import queue
import sys
import threading
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 8
BATCH = 64
SIDE, BIN = 128, 8
FEATURES = (SIDE // BIN) ** 2
HIDDEN, CLASSES = 48, 4
RATE = 0.05


class CropDataset:
    """Crops of a plate; the phenotype is part of the file name."""

    def __init__(self, folder):
        self.paths = [os.path.join(folder, n) for n in sorted(os.listdir(folder))]
        self.labels = np.array([int(os.path.basename(p)[5]) for p in self.paths])
        self.features = {}

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, k):
        if k not in self.features:
            self.features[k] = self._read(k)
        return self.features[k], self.labels[k]

    def _read(self, k):
        with open(self.paths[k], "rb") as f:
            crop = np.frombuffer(f.read(), dtype="<u2")
        crop = crop.reshape(SIDE // BIN, BIN, SIDE // BIN, BIN).astype(np.float32)
        x = np.log1p(crop.mean(axis=(1, 3))).ravel()
        return (x - x.mean()) / (x.std() + 1e-6)


class Batches:
    """Iterates over shuffled batches of one epoch, filled by a thread."""

    def __init__(self, data, rng):
        self.data = data
        self.order = rng.permutation(len(data))
        self.queue = queue.Queue(maxsize=2)
        threading.Thread(target=self._fill, daemon=True).start()

    def _fill(self):
        for start in range(0, len(self.order), BATCH):
            samples = [self.data[k] for k in self.order[start:start + BATCH]]
            x = np.stack([s[0] for s in samples])
            y = np.array([s[1] for s in samples])
            self.queue.put((x, y))
        self.queue.put(None)

    def __iter__(self):
        while True:
            batch = self.queue.get()
            if batch is None:
                return
            yield batch


class Network:
    def __init__(self, rng):
        self.w1 = rng.normal(0, FEATURES ** -0.5, (FEATURES, HIDDEN)).astype(np.float32)
        self.w2 = rng.normal(0, HIDDEN ** -0.5, (HIDDEN, CLASSES)).astype(np.float32)

    def step(self, x, y):
        h = np.tanh(x @ self.w1)
        z = h @ self.w2
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        loss = -np.log(p[np.arange(len(y)), y] + 1e-9).mean()
        hits = int((p.argmax(axis=1) == y).sum())
        p[np.arange(len(y)), y] -= 1.0
        g2 = h.T @ p / len(y)
        g1 = x.T @ ((p @ self.w2.T) * (1 - h * h)) / len(y)
        self.w2 -= RATE * g2
        self.w1 -= RATE * g1
        return loss, hits


def main():
    rng = np.random.default_rng(5)
    data = CropDataset("plate")
    net = Network(rng)
    for epoch in range(EPOCHS):
        start, loss, hits, n = time.perf_counter(), 0.0, 0, 0
        for x, y in Batches(data, rng):
            batch_loss, batch_hits = net.step(x, y)
            loss += batch_loss
            hits += batch_hits
            n += 1
        print(f"epoch {epoch + 1:2d}  loss {loss / n:.4f}  accuracy {hits / len(data):.3f}  "
              f"{time.perf_counter() - start:.2f} s", flush=True)


if __name__ == "__main__":
    main()
