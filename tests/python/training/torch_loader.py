"""Trains with PyTorch's DataLoader on samples, each in a file of its own.

    torch_loader.py make DIR
    torch_loader.py train DIR WORKERS [named]

`named`: the program names its steps. Under `torchrun` each rank trains on its share.
"""

import os
import sys
import time
from pathlib import Path

import numpy
import torch
from torch.utils.data import DataLoader, Dataset

SAMPLES, BATCH, EPOCHS = 480, 20, 2


def make(folder: Path) -> None:
    random = numpy.random.default_rng(1)
    for sample in range(SAMPLES):
        numpy.save(folder / f"{sample}.npy", random.random((64, 64), dtype="f4"))


class Samples(Dataset):
    def __init__(self, folder: Path) -> None:
        rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        self.paths = sorted(folder.glob("*.npy"))[rank::ranks]

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, at: int) -> torch.Tensor:
        time.sleep(0.002)  # what decoding of real samples takes
        return torch.from_numpy(numpy.load(self.paths[at]))


def train(folder: Path, workers: int, named: bool) -> None:
    torch.set_num_threads(1)
    model = torch.nn.Linear(64, 64)
    loader = DataLoader(Samples(folder), batch_size=BATCH, num_workers=workers, shuffle=True)
    steps = iter
    if named:
        import diya

        steps = diya.steps
    for _ in range(EPOCHS):
        for batch in steps(loader):
            until = time.perf_counter() + 0.01
            while time.perf_counter() < until:
                model(batch).sum().backward()


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        train(Path(sys.argv[2]), int(sys.argv[3]), "named" in sys.argv)
