"""Trains a small lesion classifier on retina patches.

usage: after.py EPOCHS
"""
import glob
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


def load_dataset(paths):
    """All patches, decoded once; they fit in memory."""
    images, labels = [], []
    for path in paths:
        image, label = read_patch(path)
        images.append(normalise(image))
        labels.append(label)
    return np.stack(images), np.array(labels)


def batches(images, labels, order):
    for permutation in order:
        for start in range(0, len(labels), BATCH):
            chosen = permutation[start:start + BATCH]
            yield images[chosen], labels[chosen]


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
    all_images, all_labels = load_dataset(paths)

    model = None
    losses = []
    for images, labels in batches(all_images, all_labels, order):
        x = features(images)
        if model is None:
            model = LesionClassifier(x.shape[1])
        losses.append(model.step(x, labels))
    per_epoch = np.array(losses).reshape(epochs, -1).mean(axis=1)
    np.save("losses.npy", per_epoch)
    print("loss by epoch", np.round(per_epoch, 4))


if __name__ == "__main__":
    main()
