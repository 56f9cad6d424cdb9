"""A training loop loads its samples, shuffled, for several epochs.

before  a file per sample, opened and read in every epoch; each sample also
        costs a read of zero bytes, by which Python finds the end of the file
after   one shard with all samples, read once in large pieces and kept
"""

import os
import random

from answer import Answer, pattern, raw_mkdir, raw_write_file

SAMPLE_BYTES = 2048
EPOCHS = 3
REQUEST_BYTES = 1 << 20


def load_file(answer: Answer, sample: int) -> bytes:
    with open(answer.path(f"samples/{sample}.bin"), "rb") as file:
        content = file.read()
    # The read that fills, and the one that finds nothing more.
    answer.count("posix", opens=1, reads=2, bytes_read=len(content), closes=1)
    return content


def load_shard(answer: Answer) -> bytes:
    content = bytearray()
    fd = os.open(answer.path("shard.bin"), os.O_RDONLY)
    while piece := os.read(fd, REQUEST_BYTES):
        answer.count("posix", reads=1, bytes_read=len(piece))
        content += piece
    answer.count("posix", opens=1, reads=1, closes=1)
    os.close(fd)
    return bytes(content)


def main() -> None:
    answer = Answer("python_loader", ["before", "after"])
    samples = answer.scaled(200)
    words = SAMPLE_BYTES // 8
    order = list(range(samples))
    if answer.variant == "before":
        raw_mkdir(answer.path("samples"))
        for sample in order:
            raw_write_file(answer.path(f"samples/{sample}.bin"), pattern(sample * words, words))
    else:
        raw_write_file(answer.path("shard.bin"), pattern(0, samples * words))
    shuffle = random.Random(1).shuffle
    loaded: dict[int, bytes] = {}
    answer.count("posix", writes=0, bytes_written=0)
    answer.begin_io()
    shard = load_shard(answer) if answer.variant == "after" else b""
    for _ in range(EPOCHS):
        shuffle(order)
        for sample in order:
            if answer.variant == "before":
                loaded[sample] = load_file(answer, sample)
            else:
                loaded[sample] = shard[sample * SAMPLE_BYTES : (sample + 1) * SAMPLE_BYTES]
    answer.end_io()
    for sample in range(samples):
        answer.add_result(loaded[sample], sample * words)
        if answer.variant == "before":
            answer.add_file(f"samples/{sample}.bin", SAMPLE_BYTES, holds_result=True)
    answer.add_fact("times_read", EPOCHS if answer.variant == "before" else 1)
    answer.add_fact("zero_byte_reads", samples * EPOCHS if answer.variant == "before" else 1)
    if answer.variant == "before":
        answer.finish(
            "many-small-files", "a small file per sample, re-read in every epoch; pack into shards, keep them"
        )
    else:
        answer.add_file("shard.bin", samples * SAMPLE_BYTES, holds_result=True)
        answer.finish("none", "one shard, read once")


main()
