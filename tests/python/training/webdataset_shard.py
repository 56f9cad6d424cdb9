"""A process reads a shard of webdataset, member after member, for a program that trains.

    webdataset_shard.py make DIR     writes the shard
    webdataset_shard.py train DIR    trains

The program names no steps.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from multiprocessing.queues import Queue
from pathlib import Path

import numpy
import webdataset

SAMPLES, BATCH = 400, 20


def make(folder: Path) -> None:
    random = numpy.random.default_rng(1)
    with webdataset.TarWriter(str(folder / "shard.tar")) as shard:
        for sample in range(SAMPLES):
            shard.write({"__key__": f"{sample:06}", "npy": random.random((32, 32)), "cls": sample % 10})


def load(path: str, batches: Queue[object]) -> None:
    dataset = webdataset.WebDataset(path, shardshuffle=False).decode().to_tuple("npy", "cls")
    for batch in dataset.batched(BATCH):
        time.sleep(0.02)  # what decoding of real samples takes
        batches.put(batch)
    batches.put(None)


def train(folder: Path) -> None:
    fork = multiprocessing.get_context("fork")
    batches: Queue[object] = fork.Queue(2)
    loader = fork.Process(target=load, args=(str(folder / "shard.tar"), batches))
    loader.start()
    weights = numpy.zeros((32, 32))
    while (batch := batches.get()) is not None:
        until = time.perf_counter() + 0.01
        while time.perf_counter() < until:
            weights += batch[0].mean(axis=0)
    loader.join()


if __name__ == "__main__":
    {"make": make, "train": train}[sys.argv[1]](Path(sys.argv[2]))
