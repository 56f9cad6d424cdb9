"""Can a small network tell verb-final from verb-medial sentences?

Sentences (compressed, in corpus.bin) become hashed counts of suffix bigrams;
a network with one hidden layer is trained on them by minibatch descent.
"""
import os
import queue
import struct
import sys
import threading
import zlib

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 6
BATCH = 64
BUCKETS = 512
HIDDEN = 64
RATE = 0.4
HELD_OUT = 800


def read_index():
    with open("corpus.idx", "rb") as f:
        raw = f.read()
    return list(struct.iter_unpack("<qii", raw))


def features(words):
    """Counts of (suffix, next suffix) pairs, hashed to buckets."""
    x = np.zeros(BUCKETS, np.float32)
    previous = b"#"
    for w in words:
        suffix = w[-2:]
        x[zlib.crc32(previous + b"|" + suffix) % BUCKETS] += 1.0
        previous = suffix
    return x / max(1.0, float(np.sqrt(len(words))))


def fetch_sentence(entry):
    offset, length, label = entry
    with open("corpus.bin", "rb", buffering=0) as f:
        f.seek(offset)
        raw = f.read(length)
    return features(zlib.decompress(raw).split()), label


class SentenceLoader(threading.Thread):
    """Delivers shuffled minibatches for all epochs."""

    def __init__(self, index, epochs, seed):
        super().__init__(daemon=True)
        self.index = index
        self.epochs = epochs
        self.rng = np.random.default_rng(seed)
        self.ready = queue.Queue(maxsize=2)

    def run(self):
        for _ in range(self.epochs):
            order = self.rng.permutation(len(self.index))
            for start in range(0, len(order), BATCH):
                pairs = [fetch_sentence(self.index[k]) for k in order[start:start + BATCH]]
                x = np.stack([p[0] for p in pairs])
                y = np.array([p[1] for p in pairs], np.float32)
                self.ready.put((x, y))
        self.ready.put(None)

    def __iter__(self):
        while True:
            batch = self.ready.get()
            if batch is None:
                return
            yield batch


class Net:
    def __init__(self, rng):
        self.w1 = rng.normal(0, 0.05, (BUCKETS, HIDDEN)).astype(np.float32)
        self.b1 = np.zeros(HIDDEN, np.float32)
        self.w2 = rng.normal(0, 0.1, HIDDEN).astype(np.float32)
        self.b2 = np.float32(0)

    def forward(self, x):
        h = np.tanh(x @ self.w1 + self.b1)
        return h, 1 / (1 + np.exp(-(h @ self.w2 + self.b2)))

    def step(self, x, y):
        h, p = self.forward(x)
        err = (p - y) / len(y)
        dh = np.outer(err, self.w2) * (1 - h * h)
        self.w2 -= RATE * (h.T @ err)
        self.b2 -= RATE * err.sum()
        self.w1 -= RATE * (x.T @ dh)
        self.b1 -= RATE * dh.sum(axis=0)
        return float(-np.mean(y * np.log(p + 1e-7) + (1 - y) * np.log(1 - p + 1e-7)))


def main():
    index = read_index()
    net = Net(np.random.default_rng(1))
    losses = []
    loader = SentenceLoader(index[HELD_OUT:], EPOCHS, seed=2)
    loader.start()
    for x, y in loader:
        losses.append(net.step(x, y))
    test = [fetch_sentence(e) for e in index[:HELD_OUT]]
    x = np.stack([t[0] for t in test])
    y = np.array([t[1] for t in test])
    accuracy = float(np.mean((net.forward(x)[1] > 0.5) == (y > 0)))
    print("batches %d  last loss %.4f  accuracy %.3f" % (len(losses), np.mean(losses[-20:]), accuracy))


if __name__ == "__main__":
    main()
