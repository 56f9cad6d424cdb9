"""A training gets its batches from a loader process.

before  the loader opens and unpacks a file for each sample, in each epoch, and the
        training waits for it
after   the samples are read once, as they are, before the first step
"""

import gzip
import os

from answer import Answer, pattern, raw_mkdir, raw_write_file

WORDS = 4096
SAMPLES_OF_A_BATCH = 8
EPOCHS = 60


def write_samples(answer: Answer, samples: int) -> None:
    raw_mkdir(answer.path("samples"))
    for sample in range(samples):
        content = gzip.compress(pattern(sample * WORDS, WORDS), mtime=0)
        raw_write_file(answer.path(f"samples/{sample}.gz"), content)
        answer.add_file(f"samples/{sample}.gz", len(content))
    raw_write_file(answer.path("shard.dat"), pattern(0, samples * WORDS))
    answer.add_file("shard.dat", 8 * WORDS * samples, holds_result=True)


def load(answer: Answer, samples: int, pipe: int) -> None:
    """What the loader process does: a sample after the other, in each epoch."""
    for _ in range(EPOCHS):
        for sample in range(samples):
            with gzip.open(answer.path(f"samples/{sample}.gz"), "rb") as file:
                content = file.read()
            while content:
                content = content[os.write(pipe, content) :]


def next_batch(pipe: int, size: int) -> bytes:
    content = b""
    while len(content) < size:
        content += os.read(pipe, size - len(content))
    return content


def train(batch: bytes) -> int:
    """A step that takes little time beside the loading."""
    return sum(batch[::64])


def main() -> None:
    answer = Answer("python_batches", ["before", "after"])
    batches = answer.scaled(10)
    samples = batches * SAMPLES_OF_A_BATCH
    write_samples(answer, samples)
    size = SAMPLES_OF_A_BATCH * 8 * WORDS
    ready, filled = os.pipe()
    shard = b""
    answer.begin_io()
    if answer.variant == "after":
        with open(answer.path("shard.dat"), "rb") as file:
            shard = file.read()
    elif os.fork() == 0:
        load(answer, samples, filled)
        os._exit(0)
    epoch: list[bytes] = []
    for _ in range(EPOCHS):
        epoch.clear()
        for number in range(batches):
            batch = shard[number * size : (number + 1) * size] if shard else next_batch(ready, size)
            train(batch)
            epoch.append(batch)
    answer.end_io()
    for number, batch in enumerate(epoch):
        answer.add_result(batch, number * size // 8)
    if answer.variant == "before":
        os.wait()
        answer.finish("loader-wait", "the training waits for a loader that unpacks a file for each sample")
    else:
        answer.finish("none", "the samples are read once")


main()
