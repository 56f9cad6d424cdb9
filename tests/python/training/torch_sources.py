"""Trains with PyTorch on samples of a library: Hugging Face datasets, webdataset or DALI.

    torch_sources.py make DIR LIBRARY
    torch_sources.py train DIR LIBRARY WORKERS

LIBRARY is `huggingface`, `webdataset` or `dali` (CPU operators). The program names no steps.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy

SAMPLES, BATCH, EPOCHS = 480, 20, 2


def make(folder: Path, library: str) -> None:
    random = numpy.random.default_rng(1)
    samples = random.random((SAMPLES, 64, 64), dtype="f4")
    if library == "huggingface":
        import datasets

        rows = {"x": [sample.tobytes() for sample in samples], "y": list(range(SAMPLES))}
        datasets.Dataset.from_dict(rows).save_to_disk(str(folder / "rows"))
    elif library == "webdataset":
        import webdataset

        with webdataset.TarWriter(str(folder / "shard.tar")) as shard:
            for number, sample in enumerate(samples):
                shard.write({"__key__": f"{number:06}", "npy": sample})
    else:
        for number, sample in enumerate(samples):
            numpy.save(folder / f"{number}.npy", sample)


def of_loader(dataset: Any, workers: int) -> Iterator[Any]:
    from torch.utils.data import DataLoader, IterableDataset

    shuffle = not isinstance(dataset, IterableDataset)
    loader = DataLoader(dataset, batch_size=BATCH, num_workers=workers, shuffle=shuffle)
    for _ in range(EPOCHS):
        yield from loader


def huggingface(folder: Path, workers: int) -> Iterator[Any]:
    import datasets

    def decoded(rows: dict[str, list[bytes]]) -> dict[str, list[Any]]:
        time.sleep(0.002 * len(rows["x"]))  # what decoding of real samples takes
        return {"x": [numpy.frombuffer(row, "f4").reshape(64, 64).copy() for row in rows["x"]]}

    rows = datasets.load_from_disk(str(folder / "rows")).with_transform(decoded)
    for batch in of_loader(rows, workers):
        yield batch["x"]


def web(folder: Path, workers: int) -> Iterator[Any]:
    import webdataset

    def decoded(sample: Any) -> Any:
        time.sleep(0.002)  # what decoding of real samples takes
        return sample

    shard = webdataset.WebDataset(str(folder / "shard.tar"), shardshuffle=False, empty_check=False)
    yield from of_loader(shard.decode().to_tuple("npy").map(lambda one: decoded(one[0])), workers)


def dali(folder: Path, workers: int) -> Iterator[Any]:
    import torch
    from nvidia.dali import fn, pipeline_def

    @pipeline_def(batch_size=BATCH, num_threads=max(workers, 1), device_id=None)
    def samples() -> Any:
        return fn.readers.numpy(device="cpu", file_root=str(folder), file_filter="*.npy", dont_use_mmap=True)

    built = samples()
    built.build()
    for _ in range(EPOCHS * SAMPLES // BATCH):
        yield torch.from_numpy(built.run()[0].as_array())


def train(folder: Path, library: str, workers: int) -> None:
    import torch

    torch.set_num_threads(1)
    model = torch.nn.Linear(64, 64)
    source = {"huggingface": huggingface, "webdataset": web, "dali": dali}[library]
    for batch in source(folder, workers):
        until = time.perf_counter() + 0.01
        while time.perf_counter() < until:
            model(batch).sum().backward()


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), sys.argv[3])
    else:
        train(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
