"""Trains a small lesion classifier on retina patches.

usage: before.py EPOCHS
"""
import glob
import multiprocessing as mp
import sys

import numpy as np

BATCH = 40
LEARNING_RATE = 0.5
POOL = 8


def read_patch(path):
    with np.load(path) as item:
        return item["image"], int(item["label"])


def normalise(image):
    mean = image.mean(axis=(1, 2), keepdims=True)
    return image - mean


def batch_worker(paths, order, queue):
    """Puts the batches of all epochs on the queue, in the given order."""
    for permutation in order:
        for start in range(0, len(paths), BATCH):
            chosen = permutation[start:start + BATCH]
            images, labels = [], []
            for index in chosen:
                image, label = read_patch(paths[index])
                images.append(normalise(image))
                labels.append(label)
            queue.put((np.stack(images), np.array(labels)))
    queue.put(None)


def features(images):
    n, c, h, w = images.shape
    blocks = images.reshape(n, c, h // POOL, POOL, w // POOL, POOL)
    low = blocks.min(axis=(3, 5)).reshape(n, -1)
    mean = blocks.mean(axis=(3, 5)).reshape(n, -1)
    return np.concatenate([low, mean], axis=1)


class LesionClassifier:
    def __init__(self, n_inputs, n_hidden=24, seed=3):
        rng = np.random.default_rng(seed)
        self.w1 = rng.normal(0, 0.1, (n_inputs, n_hidden))
        self.b1 = np.zeros(n_hidden)
        self.w2 = rng.normal(0, 0.1, n_hidden)
        self.b2 = 0.0

    def step(self, x, y):
        hidden = np.tanh(x @ self.w1 + self.b1)
        prob = 1.0 / (1.0 + np.exp(-(hidden @ self.w2 + self.b2)))
        loss = -np.mean(y * np.log(prob + 1e-9) + (1 - y) * np.log(1 - prob + 1e-9))
        delta = (prob - y) / len(y)
        back = np.outer(delta, self.w2) * (1 - hidden ** 2)
        self.w2 -= LEARNING_RATE * hidden.T @ delta
        self.b2 -= LEARNING_RATE * delta.sum()
        self.w1 -= LEARNING_RATE * x.T @ back
        self.b1 -= LEARNING_RATE * back.sum(axis=0)
        return loss


def main():
    epochs = int(sys.argv[1])
    paths = sorted(glob.glob("patches/*.npz"))
    rng = np.random.default_rng(5)
    order = [rng.permutation(len(paths)) for _ in range(epochs)]
    queue = mp.Queue(maxsize=4)
    worker = mp.Process(target=batch_worker, args=(paths, order, queue), daemon=True)
    worker.start()

    model = None
    losses = []
    while True:
        batch = queue.get()
        if batch is None:
            break
        images, labels = batch
        x = features(images)
        if model is None:
            model = LesionClassifier(x.shape[1])
        losses.append(model.step(x, labels))
    worker.join()
    per_epoch = np.array(losses).reshape(epochs, -1).mean(axis=1)
    np.save("losses.npy", per_epoch)
    print("loss by epoch", np.round(per_epoch, 4))


if __name__ == "__main__":
    main()
