"""Train a logistic classifier on cloud patches; a background thread feeds the batches."""
import queue
import sys
import threading

import numpy as np


class PatchDataset:
    def __init__(self, count):
        self.names = ["patch_%04d.npz" % k for k in range(count)]
        self.cache = {}

    def __len__(self):
        return len(self.names)

    def __getitem__(self, k):
        if k not in self.cache:
            with np.load(self.names[k]) as z:
                self.cache[k] = z["image"].ravel(), float(z["label"])
        return self.cache[k]


class BatchFeeder(threading.Thread):
    def __init__(self, dataset, order, batch, depth):
        super().__init__(daemon=True)
        self.dataset = dataset
        self.order = order
        self.batch = batch
        self.ready = queue.Queue(maxsize=depth)

    def run(self):
        for start in range(0, len(self.order), self.batch):
            images, labels = [], []
            for k in self.order[start:start + self.batch]:
                image, label = self.dataset[k]
                images.append(image)
                labels.append(label)
            self.ready.put((np.stack(images), np.array(labels)))
        self.ready.put(None)

    def __iter__(self):
        self.start()
        while True:
            item = self.ready.get()
            if item is None:
                return
            yield item


def train_step(w, b, x, y, lr):
    p = 1.0 / (1.0 + np.exp(-(x @ w + b)))
    g = (p - y) / len(y)
    loss = -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))
    return w - lr * (x.T @ g), b - lr * g.sum(), loss


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    data = PatchDataset(320)
    rng = np.random.default_rng(11)
    w = np.zeros(64 * 64, dtype="f4")
    b = 0.0
    for epoch in range(epochs):
        losses = []
        order = rng.permutation(len(data))
        for x, y in BatchFeeder(data, order, batch=16, depth=2):
            w, b, loss = train_step(w, b, x, y, lr=0.02)
            losses.append(loss)
        print("epoch %d  loss %.5f" % (epoch, np.mean(losses)))
    np.save("weights.npy", w)


if __name__ == "__main__":
    main()
