"""Jobs that never ran: patterns of requests, metadata, syncs, and ranks that differ."""

from __future__ import annotations

import numpy as np
from scenario_parts import LATENCY_S, MIB, blocks, interleaved, shared_output, took
from simulated_job import Job


def rank_zero_writes_everything() -> Job:
    job = Job(128, 100)
    job.one_after_the_other(
        "posix", "write", "/scratch/all.dat", [0], np.arange(1024)[None, :] * 4 * MIB, 4 * MIB, 1.0, took(4 * MIB)
    )
    return job


def aggregators_write_for_all() -> Job:
    """Collective buffering: one rank of each node writes, the others wait in the collective call."""
    job = Job(128, 60)
    path = "/scratch/all.dat"
    job.one_after_the_other(
        "mpiio", "write", path, np.arange(128), blocks(128, 8, 4 * MIB), 4 * MIB, 1.0, 0.5, collective=True
    )
    job.one_after_the_other("posix", "write", path, np.arange(0, 128, 32), blocks(4, 64, 16 * MIB), 16 * MIB, 1.0, 0.05)
    job.count("posix", path, np.arange(128), f_meta_time=0.001)
    return job


def rank_zero_writes_its_input() -> Job:
    """Rank 0 writes most bytes, but there are few."""
    job = Job(128, 60)
    job.one_after_the_other("posix", "write", "/scratch/log.dat", [0], np.arange(8)[None, :] * MIB, MIB, 1.0, took(MIB))
    return job


def uneven(slow: float, size_of_slow: int = MIB) -> Job:
    """One of 1024 ranks takes ``slow`` times as long for each request of four phases."""
    job = Job(1024, 60)
    for phase in range(4):
        factor = np.ones((1024, 8))
        factor[613] = slow
        path = f"/scratch/step.{phase}"
        job.one_after_the_other(
            "posix", "write", path, np.arange(1024), blocks(1024, 8, MIB), MIB, 5.0 + 12 * phase, took(MIB) * factor
        )
    return job


def one_rank_of_1024_is_slow() -> Job:
    return uneven(40.0)


def all_ranks_alike() -> Job:
    return uneven(1.0)


def a_rank_of_1024_is_a_little_slow() -> Job:
    return uneven(1.3)


def read_again(epochs: int, files: int = 1) -> Job:
    job = Job(16, 200, exe="python train.py")
    for epoch in range(epochs):
        for number in range(files):
            job.one_after_the_other(
                "posix", "read", f"/scratch/set.{number}", np.arange(16),
                blocks(16, 64, 4 * MIB // files), 4 * MIB // files, 1.0 + 12 * epoch, took(4 * MIB // files),
            )  # fmt: skip
    return job


def every_epoch_reads_all() -> Job:
    return read_again(10)


def one_epoch() -> Job:
    return read_again(1)


def reads_of_all(each_own: bool) -> Job:
    """Every rank reads 200 pieces of 4 KiB: the same ones, or its own."""
    job = Job(512, 20)
    own = np.arange(512)[:, None] * 200 * 4096 if each_own else np.zeros((512, 1), int)
    offsets = own + np.arange(200)[None, :] * 4096
    job.one_after_the_other("posix", "read", "/scratch/table.bin", np.arange(512), offsets, 4096, 1.0, LATENCY_S)
    return job


def every_rank_reads_the_same_pieces() -> Job:
    return reads_of_all(each_own=False)


def every_rank_reads_its_own_pieces() -> Job:
    return reads_of_all(each_own=True)


def reads_in(order: str, size: int = 4096, each: int = 1000) -> Job:
    job = Job(64, 30)
    rng = np.random.default_rng(5)
    offsets = np.tile(np.arange(each) * size * (2 if order == "strided" else 1), (64, 1))
    if order == "random":
        offsets = rng.permuted(offsets, axis=1)
    for rank in range(64):
        job.one_after_the_other(
            "posix", "read", f"/scratch/part.{rank}", [rank], offsets[rank : rank + 1], size, 1.0, took(size)
        )
    return job


def small_reads_at_random() -> Job:
    return reads_in("random")


def small_reads_with_strides() -> Job:
    return reads_in("strided")


def large_reads_at_random() -> Job:
    return reads_in("random", 4 * MIB, each=100)


def seeks(order: str) -> Job:
    job = reads_in(order)
    for rank in range(64):
        job.count("posix", f"/scratch/part.{rank}", rank, seeks=1000, f_meta_time=2.0)
    return job


def seek_before_each_next_read() -> Job:
    return seeks("in order")


def seek_before_each_random_read() -> Job:
    return seeks("random")


def opens(each: int, files: int, seconds: float) -> Job:
    """64 ranks open ``files`` files of their own ``each`` times and write a little."""
    job = Job(64, 60)
    for rank in range(64):
        for number in range(files):
            path = f"/scratch/out.{rank}.{number}"
            job.one_after_the_other(
                "posix",
                "write",
                path,
                [rank],
                np.arange(each)[None, :] * 200_000,
                200_000,
                1.0 + number * 0.01,
                LATENCY_S,
            )
            job.count("posix", path, rank, opens=each, f_meta_time=seconds / files)
    return job


def a_file_opened_for_each_record() -> Job:
    return opens(each=400, files=1, seconds=5.0)


def a_file_opened_once() -> Job:
    return opens(each=1, files=1, seconds=0.01)


def many_files_for_each_rank() -> Job:
    return opens(each=1, files=60, seconds=20.0)


def a_few_files_for_each_rank() -> Job:
    return opens(each=1, files=10, seconds=0.05)


def synced(writes: int, syncs: int, seconds: float) -> Job:
    job = Job(32, 60)
    for rank in range(32):
        path = f"/scratch/journal.{rank}"
        job.one_after_the_other(
            "posix", "write", path, [rank], np.arange(writes)[None, :] * 512_000, 512_000, 1.0, took(512_000)
        )
        job.count("posix", path, rank, fsyncs=syncs, f_meta_time=seconds)
    return job


def sync_after_each_write() -> Job:
    return synced(1000, 1000, 25.0)


def sync_after_each_checkpoint() -> Job:
    return synced(1000, 5, 0.1)


def turns(between: bool) -> Job:
    """Reads and writes of one file, taking turns or one kind after the other."""
    job = Job(16, 60)
    for rank in range(16):
        path, size = f"/scratch/index.{rank}", 512_000
        places = np.arange(800)[None, :] * size
        job.one_after_the_other("posix", "read", path, [rank], places, size, 1.0, 0.01, pause=0.012 if between else 0)
        job.one_after_the_other(
            "posix",
            "write",
            path,
            [rank],
            places,
            size,
            1.011 if between else 20.0,
            0.01,
            pause=0.012 if between else 0,
        )
    return job


def reads_and_writes_take_turns() -> Job:
    return turns(between=True)


def reads_then_writes() -> Job:
    return turns(between=False)


def records(size: int, each: int) -> Job:
    """256 ranks write records that take turns in a shared file."""
    job = Job(256, 60)
    job.one_after_the_other(
        "posix", "write", "/scratch/records.dat", np.arange(256), interleaved(256, each, size), size, 1.0, took(size)
    )
    job.stripes("/scratch/records.dat", MIB, list(range(8)))
    return job


def small_records_in_turns() -> Job:
    return records(4096, 500)


def large_records_in_turns() -> Job:
    return records(4 * MIB, 8)


def large_records_off_the_stripes() -> Job:
    return records(4 * MIB - 4096, 300)


def streams(megabytes: int) -> Job:
    job = Job(32, 60)
    for rank in range(32):
        path = f"/scratch/table.{rank}.txt"
        size = 32_768
        job.one_after_the_other(
            "stdio", "write", path, [rank], np.arange(megabytes * 32)[None, :] * size, size, 1.0, 0.004
        )
    return job


def bulk_output_through_streams() -> Job:
    return streams(100)


def a_little_text() -> Job:
    return streams(1)


def computes() -> Job:
    """Ten minutes of computing, a second of output."""
    job = Job(64, 600)
    shared_output(job, "/scratch/field.dat", each=16)
    job.stripes("/scratch/field.dat", MIB, list(range(8)))
    return job


def writes_all_the_time() -> Job:
    """The same output in a run of five seconds."""
    job = Job(64, 5)
    shared_output(job, "/scratch/field.dat", each=100)
    job.stripes("/scratch/field.dat", MIB, list(range(8)))
    return job
