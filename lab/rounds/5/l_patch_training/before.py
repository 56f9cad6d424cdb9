"""Train a two-layer network on image patches kept in many small archives."""
import glob
import os
import queue
import sys
import threading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

HIDDEN = 512


class PatchReader(threading.Thread):
    def __init__(self, paths, epochs, out):
        super().__init__(daemon=True)
        self.paths = paths
        self.epochs = epochs
        self.out = out
        self.parts = {}

    def load(self, path):
        if path not in self.parts:
            with np.load(path) as archive:
                self.parts[path] = archive["x"], archive["y"]
        return self.parts[path]

    def run(self):
        rng = np.random.default_rng(5)
        for epoch in range(self.epochs):
            for i in rng.permutation(len(self.paths)):
                x, y = self.load(self.paths[i])
                order = rng.permutation(len(y))
                self.out.put((epoch, x[order], y[order]))
        self.out.put(None)


class Network:
    def __init__(self, n_in, rng):
        self.w1 = rng.normal(0, 1 / np.sqrt(n_in), (n_in, HIDDEN)).astype(np.float32)
        self.w2 = rng.normal(0, 1 / np.sqrt(HIDDEN), (HIDDEN, HIDDEN)).astype(np.float32)
        self.w3 = rng.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN).astype(np.float32)

    def step(self, x, y, rate):
        h1 = np.tanh(x @ self.w1)
        h2 = np.tanh(h1 @ self.w2)
        p = 1.0 / (1.0 + np.exp(-(h2 @ self.w3)))
        err = ((p - y) / len(y)).astype(np.float32)
        g2 = np.outer(err, self.w3) * (1 - h2 * h2)
        g1 = (g2 @ self.w2.T) * (1 - h1 * h1)
        self.w3 -= rate * (h2.T @ err)
        self.w2 -= rate * (h1.T @ g2)
        self.w1 -= rate * (x.T @ g1)
        return float(-np.mean(np.log(np.where(y > 0, p, 1 - p) + 1e-7)))


def save_checkpoint(net, epoch):
    np.savez("model_%02d.npz" % (epoch % 2), w1=net.w1, w2=net.w2, w3=net.w3)


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    paths = sorted(glob.glob("patches/part_*.npz"))
    batches = queue.Queue(maxsize=256)
    PatchReader(paths, epochs, batches).start()
    net = Network(256, np.random.default_rng(2))
    losses = []
    with open("training.log", "w") as log:
        while True:
            batch = batches.get()
            if batch is None:
                break
            epoch, x, y = batch
            losses.append(net.step(x, y, 0.05))
            if len(losses) % 8 == 0:
                log.write("epoch %d step %d loss %.5f\n" % (epoch, len(losses), losses[-1]))
                log.flush()
    save_checkpoint(net, epochs)
    print("steps %d  loss %.4f" % (len(losses), sum(losses[-len(paths):]) / len(paths)))


if __name__ == "__main__":
    main()
