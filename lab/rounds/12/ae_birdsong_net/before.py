"""Trains a small two-layer network that tells bird species from song snippets.

The snippets are drawn in a new order for each epoch, shifted in time at
random, and handed to the training loop in batches by a feeder thread.
"""
import os
import queue
import struct
import sys
import threading

os.environ["OPENBLAS_NUM_THREADS"] = "1"     # the matrices are small
import numpy as np

NF, NT, NSPECIES = 24, 40, 8
RECORD = 4 + 4 * NF * NT
BATCH = 64
HIDDEN = 48
RATE = 0.05


class SnippetFile:
    """The labelled snippets, by number."""

    def __init__(self, path):
        self.file = open(path, "rb")
        self.count = os.path.getsize(path) // RECORD

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        self.file.seek(i * RECORD)
        record = self.file.read(RECORD)
        label, = struct.unpack_from("<i", record)
        return label, np.frombuffer(record, np.float32, offset=4).reshape(NF, NT)


class Feeder(threading.Thread):
    """Puts batches of one epoch into a short queue."""

    def __init__(self, data, rng):
        super().__init__(daemon=True)
        self.data, self.rng = data, rng
        self.batches = queue.Queue(maxsize=2)

    def run(self):
        order = self.rng.permutation(len(self.data))
        shifts = self.rng.integers(-4, 5, size=len(order) // BATCH)
        for b, shift in enumerate(shifts):
            self.batches.put(self.collate(order[b * BATCH:(b + 1) * BATCH], shift))
        self.batches.put(None)

    def collate(self, numbers, shift):
        labels = np.empty(len(numbers), dtype=int)
        images = np.empty((len(numbers), NF, NT), dtype=np.float32)
        for k, i in enumerate(numbers):
            labels[k], images[k] = self.data[i]
        images = np.roll(images, shift, axis=2)
        return images.reshape(len(numbers), -1), labels

    def __iter__(self):
        self.start()
        while (batch := self.batches.get()) is not None:
            yield batch


class Net:
    def __init__(self, rng):
        self.w1 = rng.normal(0, 0.03, (NF * NT, HIDDEN)).astype(np.float32)
        self.w2 = rng.normal(0, 0.1, (HIDDEN, NSPECIES)).astype(np.float32)

    def step(self, x, y):
        h = np.maximum(x @ self.w1, 0)
        z = h @ self.w2
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        loss = -np.log(p[np.arange(len(y)), y] + 1e-9).mean()
        hits = int((p.argmax(axis=1) == y).sum())
        p[np.arange(len(y)), y] -= 1
        p /= len(y)
        dh = (p @ self.w2.T) * (h > 0)
        self.w2 -= RATE * (h.T @ p)
        self.w1 -= RATE * (x.T @ dh)
        return float(loss), hits


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    rng = np.random.default_rng(3)
    data = SnippetFile("snippets.mel")
    net = Net(rng)
    for epoch in range(epochs):
        losses, hits, seen = [], 0, 0
        for x, y in Feeder(data, rng):
            loss, ok = net.step(x, y)
            losses.append(loss)
            hits += ok
            seen += len(y)
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}, accuracy {hits / seen:.4f}")
    np.savez("net.npz", w1=net.w1, w2=net.w2)


if __name__ == "__main__":
    main()
