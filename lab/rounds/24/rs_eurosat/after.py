#!/usr/bin/env python3
"""Land-use classifier on EuroSAT-like RGB patches.

Structure after torchvision's ImageFolder / the PyTorch "Writing custom datasets"
tutorial (Dataset with __getitem__, a loader, an epoch loop), in numpy.
"""
import argparse
import json
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from PIL import Image


class PatchFolder:
    """One sub-folder for each class, like ImageFolder."""

    def __init__(self, root, transform=None):
        self.classes = sorted(d for d in os.listdir(root) if os.path.isdir(os.path.join(root, d)))
        if not self.classes:
            raise FileNotFoundError(f"no class folders in {root}")
        self.samples = []
        for idx, name in enumerate(self.classes):
            folder = os.path.join(root, name)
            for fn in sorted(os.listdir(folder)):
                if fn.lower().endswith((".jpg", ".jpeg")):
                    self.samples.append((os.path.join(folder, fn), idx))
        self.transform = transform
        self.cache = {}

    def __len__(self):
        return len(self.samples)

    def load(self, path):
        with Image.open(path) as im:
            return np.asarray(im.convert("RGB"))

    def __getitem__(self, i):
        path, target = self.samples[i]
        img = self.cache.get(path)
        if img is None:
            img = self.cache[path] = self.load(path)
        if self.transform is not None:
            img = self.transform(img)
        return img, target


class RandomFlipFeatures:
    """Random flip, then the 8x8 block means as features."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def __call__(self, img):
        if self.rng.random() < 0.5:
            img = img[:, ::-1]
        if self.rng.random() < 0.5:
            img = img[::-1]
        small = img[::2, ::2].reshape(8, 16, 8, 16, 3).mean(axis=(1, 3), dtype=np.float32)
        return (small / 255.0 - 0.5).ravel()


def batches(dataset, order, size):
    for s in range(0, len(order), size):
        items = [dataset[i] for i in order[s:s + size]]
        yield np.stack([x for x, _ in items]), np.array([y for _, y in items])


def train_epoch(dataset, w, b, rng, lr, size):
    loss = correct = 0.0
    order = rng.permutation(len(dataset))
    for x, y in batches(dataset, order, size):
        z = x @ w + b
        z -= z.max(1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(1, keepdims=True)
        loss -= np.log(p[np.arange(len(y)), y] + 1e-9).sum()
        correct += (p.argmax(1) == y).sum()
        p[np.arange(len(y)), y] -= 1
        w -= lr * x.T @ p / len(y)
        b -= lr * p.mean(0)
    return loss / len(dataset), correct / len(dataset)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("root")
    ap.add_argument("--epochs", type=int, default=7)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--out", default="model.json")
    a = ap.parse_args()
    try:
        ds = PatchFolder(a.root, RandomFlipFeatures(5))
    except OSError as e:
        sys.exit(f"cannot read {a.root}: {e}")
    rng = np.random.default_rng(3)
    w = np.zeros((192, len(ds.classes)), np.float32)
    b = np.zeros(len(ds.classes), np.float32)
    for ep in range(a.epochs):
        loss, acc = train_epoch(ds, w, b, rng, a.lr, a.batch)
        print(f"epoch {ep+1}/{a.epochs} loss {loss:.4f} acc {acc:.3f}")
    with open(a.out, "w") as f:
        json.dump({"classes": ds.classes, "w": w.round(5).tolist(), "b": b.round(5).tolist()}, f)


if __name__ == "__main__":
    main()
