"""Train a small classifier for nuclei patches; a helper process feeds the mini-batches."""
import multiprocessing as mp
import os
import sys

import numpy as np

PATCH_DIR = "patches"
BATCH = 24
NCLASS = 3


def read_patch(name):
    with np.load(os.path.join(PATCH_DIR, name)) as item:
        image = item["image"]
        mask = item["mask"]
        label = int(item["label"])
    return np.where(mask, image, 0.3 * image)[::4, ::4].ravel() / 255.0, label


def feeder(names, epochs, seed, queue):
    rng = np.random.default_rng(seed)
    decoded = [read_patch(name) for name in names]
    for epoch in range(epochs):
        order = rng.permutation(len(names))
        for start in range(0, len(names) - BATCH + 1, BATCH):
            pairs = [decoded[i] for i in order[start:start + BATCH]]
            x = np.stack([p[0] for p in pairs])
            y = np.array([p[1] for p in pairs])
            queue.put((epoch, x, y))
    queue.put(None)


class Softmax:
    def __init__(self, nfeat, rate=0.05):
        self.w = np.zeros((nfeat, NCLASS))
        self.b = np.zeros(NCLASS)
        self.rate = rate

    def step(self, x, y):
        z = x @ self.w + self.b
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        loss = -np.log(p[np.arange(len(y)), y] + 1e-12).mean()
        p[np.arange(len(y)), y] -= 1.0
        self.w -= self.rate * x.T @ p / len(y)
        self.b -= self.rate * p.mean(axis=0)
        return loss


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    names = sorted(os.listdir(PATCH_DIR))
    queue = mp.Queue(maxsize=4)
    proc = mp.Process(target=feeder, args=(names, epochs, 4, queue), daemon=True)
    proc.start()
    model = Softmax(256)
    losses = [0.0] * epochs
    while True:
        batch = queue.get()
        if batch is None:
            break
        epoch, x, y = batch
        losses[epoch] = model.step(x, y)
    proc.join()
    print("epochs", epochs, "loss", " ".join("%.4f" % v for v in losses))


if __name__ == "__main__":
    mp.set_start_method("fork")
    main()
