"""Train a small patch classifier on fluorescence slides (6 slides, 2048 x 2048)."""
import os
import queue
import sys
import threading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

SIDE = 2048
PATCH = 48
BATCH = 64
HIDDEN = 64


class SlideFile:
    """Row-major stack of 16 bit slides."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)
        self.nslides = os.fstat(self.fd).st_size // (2 * SIDE * SIDE)

    def patch(self, slide, top, left):
        out = np.empty((PATCH, PATCH), dtype="<u2")
        for row in range(PATCH):
            where = 2 * ((slide * SIDE + top + row) * SIDE + left)
            out[row] = np.frombuffer(os.pread(self.fd, 2 * PATCH, where), "<u2")
        return out


class PatchLoader:
    """Makes batches in the background and hands them over through a queue."""

    def __init__(self, slides, nsamples, depth=2, seed=3):
        rng = np.random.default_rng(seed)
        self.slides = slides
        self.where = np.stack([rng.integers(0, slides.nslides, nsamples),
                               rng.integers(0, SIDE - PATCH, nsamples),
                               rng.integers(0, SIDE - PATCH, nsamples)], axis=1)
        self.depth = depth

    def fetch(self, index):
        slide, top, left = (int(v) for v in self.where[index])
        raw = self.slides.patch(slide, top, left).astype(np.float32)
        return (raw - 400.0) / 40.0, slide % 2

    def make_batch(self, ids):
        xs = np.empty((len(ids), PATCH * PATCH), dtype=np.float32)
        ys = np.empty(len(ids), dtype=np.float32)
        for k, index in enumerate(ids):
            img, label = self.fetch(index)
            xs[k] = img.ravel()
            ys[k] = label
        return xs, ys

    def _work(self, order, out):
        for lo in range(0, len(order), BATCH):
            out.put(self.make_batch(order[lo:lo + BATCH]))
        out.put(None)

    def epoch(self, number):
        order = np.random.default_rng(100 + number).permutation(len(self.where))
        out = queue.Queue(self.depth)
        worker = threading.Thread(target=self._work, args=(order, out), daemon=True)
        worker.start()
        while (batch := out.get()) is not None:
            yield batch
        worker.join()


class Net:
    def __init__(self, rng):
        self.w1 = rng.normal(0, 0.02, (PATCH * PATCH, HIDDEN)).astype(np.float32)
        self.b1 = np.zeros(HIDDEN, dtype=np.float32)
        self.w2 = rng.normal(0, 0.1, HIDDEN).astype(np.float32)

    def step(self, xs, ys, rate):
        h = np.maximum(xs @ self.w1 + self.b1, 0)
        p = 1.0 / (1.0 + np.exp(-np.clip(h @ self.w2, -30, 30)))
        loss = -np.mean(ys * np.log(p + 1e-7) + (1 - ys) * np.log(1 - p + 1e-7))
        d = (p - ys) / len(ys)
        dh = np.outer(d, self.w2) * (h > 0)
        self.w2 -= rate * (h.T @ d)
        self.w1 -= rate * (xs.T @ dh)
        self.b1 -= rate * dh.sum(axis=0)
        return float(loss)


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    nsamples = int(sys.argv[2]) if len(sys.argv) > 2 else 2048
    loader = PatchLoader(SlideFile("slides.raw"), nsamples)
    net = Net(np.random.default_rng(1))
    for number in range(epochs):
        losses = [net.step(xs, ys, 0.02) for xs, ys in loader.epoch(number)]
        print(f"epoch {number}  loss {np.mean(losses):.4f}")


if __name__ == "__main__":
    main()
