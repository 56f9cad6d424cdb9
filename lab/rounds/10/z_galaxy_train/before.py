"""Galaxy morphology from photometric features: a small network trained by momentum SGD."""
import queue
import threading

import numpy as np

HEAD = 8


class BatchReader(threading.Thread):
    """Reads blocks of consecutive samples ahead of the training loop."""

    def __init__(self, path, labels, batch, epochs, depth):
        super().__init__(daemon=True)
        self.path = path
        with open(path, "rb") as fh:
            self.samples, self.features = np.frombuffer(fh.read(HEAD), "<u4").tolist()
        self.labels = np.fromfile(labels, np.uint8)
        self.batch = batch
        self.epochs = epochs
        self.ready = queue.Queue(maxsize=depth)

    def run(self):
        rng = np.random.default_rng(3)
        blocks = self.samples // self.batch
        size = self.batch * self.features * 4
        with open(self.path, "rb", buffering=0) as fh:
            for _ in range(self.epochs):
                for b in rng.permutation(blocks):
                    fh.seek(HEAD + int(b) * size)
                    x = np.frombuffer(fh.read(size), "<f4").reshape(self.batch, self.features)
                    self.ready.put((x, self.labels[b * self.batch:(b + 1) * self.batch]))
        self.ready.put(None)

    def __iter__(self):
        self.start()
        while (item := self.ready.get()) is not None:
            yield item


class Net:
    def __init__(self, sizes, seed):
        rng = np.random.default_rng(seed)
        self.w = [rng.normal(0, 1.4 / np.sqrt(a), (a, b)).astype("f4") for a, b in zip(sizes, sizes[1:])]
        self.m = [np.zeros_like(w) for w in self.w]

    def train(self, x, y, rate=0.02):
        acts = [x]
        for w in self.w[:-1]:
            acts.append(np.maximum(acts[-1] @ w, 0))
        z = acts[-1] @ self.w[-1]
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        rows = np.arange(len(y))
        loss = float(-np.log(p[rows, y] + 1e-9).mean())
        p[rows, y] -= 1
        g = p / len(y)
        for i in range(len(self.w) - 1, -1, -1):
            dw = acts[i].T @ g
            if i:
                g = (g @ self.w[i].T) * (acts[i] > 0)
            self.m[i] = 0.9 * self.m[i] - rate * dw
            self.w[i] += self.m[i]
        return loss


def main():
    reader = BatchReader("galaxies.f32", "galaxies.label", batch=1000, epochs=4, depth=6)
    net = Net([reader.features, 512, 256, 3], seed=1)
    losses = [net.train(x, y) for x, y in reader]
    per = len(losses) // reader.epochs
    for e in range(reader.epochs):
        print(f"epoch {e}: loss {np.mean(losses[e * per:(e + 1) * per]):.4f}")
    np.savez("net.npz", *net.w)


if __name__ == "__main__":
    main()
