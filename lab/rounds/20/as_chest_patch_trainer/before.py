"""Trains a logistic classifier on patches cut from chest radiographs.

Studies lie as PNG images of 16 bits; a loader process decodes a study,
normalises it and hands patch features to the training loop.
"""
import argparse
import csv
import io
import json
import multiprocessing as mp
import pathlib
import zipfile

import numpy as np
from PIL import Image

WORKERS = 1


def read_labels(path):
    with open(path, newline="") as f:
        return [(r["study"], int(r["finding"])) for r in csv.DictReader(f)]


def features(image, size):
    """Mean, spread and gradient of each patch."""
    a = np.asarray(image, dtype=np.float32) / 65535.0
    h, w = a.shape[0] // size, a.shape[1] // size
    p = a[:h * size, :w * size].reshape(h, size, w, size).swapaxes(1, 2)
    grad = np.abs(np.diff(p, axis=3)).mean(axis=(2, 3))
    return np.stack([p.mean(axis=(2, 3)), p.std(axis=(2, 3)), grad], axis=-1).reshape(-1, 3)


def load_study(task):
    archive, study, label, size = task
    with zipfile.ZipFile(archive) as z:
        image = Image.open(io.BytesIO(z.read(f"{study}.png")))
        image.load()
    x = features(image, size)
    return study, x, np.full(len(x), label, dtype=np.float32)


class Model:
    def __init__(self, n):
        self.w = np.zeros(n + 1)

    def step(self, x, y, rate):
        z = np.c_[x, np.ones(len(x))]
        prob = 1 / (1 + np.exp(-z @ self.w))
        self.w -= rate * z.T @ (prob - y) / len(y)
        prob = np.clip(prob, 1e-9, 1 - 1e-9)
        return float(-np.mean(y * np.log(prob) + (1 - y) * np.log(1 - prob)))


def train(model, tasks, epochs, rate, log):
    losses = []
    with mp.get_context("fork").Pool(WORKERS) as pool:
        for epoch in range(epochs):
            total = 0.0
            for study, x, y in pool.imap(load_study, tasks):
                for _ in range(3):
                    loss = model.step(x, y, rate)
                total += loss
            losses.append(total / len(tasks))
            log.write(f"epoch {epoch} loss {losses[-1]:.6f}\n")
    return losses


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("archive", type=pathlib.Path)
    p.add_argument("labels")
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--patch", type=int, default=32)
    p.add_argument("--rate", type=float, default=0.5)
    args = p.parse_args()

    labels = read_labels(args.labels)
    tasks = [(args.archive, s, y, args.patch) for s, y in labels]
    model = Model(3)
    with open("train.log", "w") as log:
        losses = train(model, tasks, args.epochs, args.rate, log)
    with open("model.json", "w") as f:
        json.dump({"weights": model.w.tolist()}, f)
    for epoch, loss in enumerate(losses):
        print(f"epoch {epoch}: {loss:.6f}")
    print("weights", " ".join(f"{w:.5f}" for w in model.w))


if __name__ == "__main__":
    main()
