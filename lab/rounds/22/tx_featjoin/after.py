#!/usr/bin/env python3
"""Join document labels with their newest feature vectors and fit class centroids."""
import argparse
import csv
import re
import sys
from pathlib import Path

import numpy as np

NAME = re.compile(r"(?P<doc>\w+?)__(?P<model>\w+?)__r(?P<rev>\d+)\.npy$")


class FeatureStore:
    def __init__(self, root, model="minilm"):
        self.root = Path(root)
        self.model = model
        if not self.root.is_dir():
            raise NotADirectoryError(root)
        self.index = {}
        for path in self.root.iterdir():
            m = NAME.match(path.name)
            if m and m["model"] == model:
                rev = int(m["rev"])
                if rev > self.index.get(m["doc"], (None, -1))[1]:
                    self.index[m["doc"]] = (path, rev)

    def newest(self, doc):
        return self.index.get(doc, (None, -1))[0]

    def load(self, doc):
        path = self.newest(doc)
        if path is None:
            raise KeyError(doc)
        return np.load(path)


def read_table(path):
    with open(path, newline="") as f:
        reader = csv.DictReader(f)
        if reader.fieldnames != ["doc", "label"]:
            raise ValueError(f"{path}: unexpected columns {reader.fieldnames}")
        return [(row["doc"], row["label"]) for row in reader]


def join(rows, store):
    x, y, lost = [], [], []
    for doc, label in rows:
        try:
            x.append(store.load(doc))
            y.append(label)
        except KeyError:
            lost.append(doc)
    return np.stack(x), np.array(y), lost


def centroids(x, y):
    labels = sorted(set(y.tolist()))
    return labels, np.stack([x[y == lab].mean(0) for lab in labels])


def accuracy(x, y, labels, cent):
    d = ((x[:, None, :] - cent[None]) ** 2).sum(-1)
    return float((np.array(labels)[d.argmin(1)] == y).mean())


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("table")
    ap.add_argument("features")
    ap.add_argument("--out", default="joined.npz")
    args = ap.parse_args()
    rows = read_table(args.table)
    x, y, lost = join(rows, FeatureStore(args.features))
    labels, cent = centroids(x, y)
    np.savez(args.out, x=x, y=y, centroids=cent)
    print(f"{len(x)} joined, {len(lost)} without features")
    print(f"accuracy {accuracy(x, y, labels, cent):.4f}, checksum {float(x.sum()):.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
