"""Trains a classifier of scikit-learn on batches, each in a file of its own.

sklearn_batches.py make DIR              writes the batches
sklearn_batches.py train DIR WORKERS     trains; 0 workers: the program loads by itself
"""

import multiprocessing
import sys
import time
from pathlib import Path

import diya
import numpy
from sklearn.linear_model import SGDClassifier

BATCHES, EPOCHS, SAMPLES, FEATURES = 12, 2, 200, 500


def make(folder: Path) -> None:
    random = numpy.random.default_rng(1)
    for batch in range(BATCHES):
        values = random.random((SAMPLES, FEATURES))
        numpy.savez(folder / f"{batch}.npz", values=values, labels=values[:, 0] > 0.5)


def load(path: Path) -> "tuple[numpy.ndarray, numpy.ndarray]":
    with numpy.load(path) as batch:
        time.sleep(0.02)  # what decoding of real samples takes
        return batch["values"], batch["labels"]


def train(folder: Path, workers: int) -> None:
    paths = sorted(folder.glob("*.npz"))
    model = SGDClassifier()
    pool = multiprocessing.get_context("fork").Pool(workers) if workers else None
    for epoch in range(EPOCHS):
        diya.epoch(epoch)
        batches = pool.imap(load, paths) if pool else map(load, paths)
        for values, labels in diya.steps(batches):
            model.partial_fit(values, labels, classes=[False, True])
    diya.epoch(-1)
    if pool:
        pool.close()
        pool.join()


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        train(Path(sys.argv[2]), int(sys.argv[3]))
