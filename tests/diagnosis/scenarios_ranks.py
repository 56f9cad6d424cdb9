"""Jobs that never ran: phases in time, and ranks, nodes and calls that hold up the others."""

from __future__ import annotations

import numpy as np
from scenario_parts import MIB, blocks, took
from simulated_job import Job


def bursts(
    count: int, every_s: float, each: int = 4, size: int = 4 * MIB, seconds: float = 1.0, ranks: int = 64
) -> Job:
    """All ranks write at the same times and compute in between."""
    job = Job(ranks, 5.0 + count * every_s)
    for number in range(count):
        path, start = f"/scratch/step.{number}", 2.0 + number * every_s
        job.one_after_the_other(
            "posix", "write", path, np.arange(ranks), blocks(ranks, each, size), size, start, seconds / each
        )
    return job


def bursts_between_computing() -> Job:
    return bursts(10, 10.0, seconds=3.0)


def one_burst_at_the_end() -> Job:
    return bursts(1, 60.0, seconds=3.0)


def hundreds_of_little_bursts() -> Job:
    return bursts(200, 0.5, each=1, size=2048, seconds=0.05)


def ten_large_bursts() -> Job:
    return bursts(10, 10.0, each=16)


def with_slow_burst(slow: int | None) -> Job:
    job = Job(64, 120)
    for number in range(8):
        seconds = 0.25 * (6 if number == slow else 1)
        path = f"/scratch/step.{number}"
        job.one_after_the_other(
            "posix", "write", path, np.arange(64), blocks(64, 8, 4 * MIB), 4 * MIB, 2.0 + 14 * number, seconds
        )
    return job


def one_burst_of_eight_is_slow() -> Job:
    return with_slow_burst(5)


def eight_bursts_alike() -> Job:
    return with_slow_burst(None)


def another_rank_is_slow_each_time() -> Job:
    job = Job(64, 60)
    for number in range(8):
        factor = np.ones((64, 8))
        factor[7 * number] = 30.0
        path = f"/scratch/step.{number}"
        job.one_after_the_other(
            "posix", "write", path, np.arange(64), blocks(64, 8, MIB), MIB, 1.0 + 7 * number, took(MIB) * factor
        )
    return job


def stuck(ranks: int, seconds: float) -> Job:
    """In one phase these ranks each sit in one small write."""
    job = Job(256, 60)
    seconds_of = np.full((256, 16), 0.01)
    seconds_of[97 : 97 + ranks, 8] = seconds
    job.one_after_the_other(
        "posix", "write", "/scratch/field.h5", np.arange(256), blocks(256, 16, 4096), 4096, 5.0, seconds_of
    )
    return job


def four_ranks_sit_in_one_write() -> Job:
    return stuck(4, 3.0)


def no_rank_sits_in_a_write() -> Job:
    return stuck(0, 0.01)


def in_turns(is_staircase: bool) -> Job:
    job = Job(32, 60)
    start = 1.0 + np.arange(32) * 1.5 if is_staircase else np.ones(32)
    job.one_after_the_other(
        "posix", "write", "/scratch/turns.dat", np.arange(32), blocks(32, 8, 4 * MIB), 4 * MIB, start, 0.15
    )
    return job


def ranks_write_in_turns() -> Job:
    return in_turns(is_staircase=True)


def ranks_write_at_once() -> Job:
    return in_turns(is_staircase=False)


def on_hosts(slow: int | None) -> Job:
    """Eight nodes; the calls of one of them take four times as long."""
    job = Job(128, 60, ranks_per_node=16)
    factor = np.ones((128, 50))
    if slow is not None:
        factor[16 * slow : 16 * slow + 16] = 4.0
    job.one_after_the_other(
        "posix", "write", "/scratch/hosts.dat", np.arange(128), blocks(128, 50, MIB), MIB, 1.0, 0.05 * factor
    )
    return job


def one_node_of_eight_is_slow() -> Job:
    return on_hosts(3)


def eight_nodes_alike() -> Job:
    return on_hosts(None)


def shares(heavy: int) -> Job:
    """Rank 9 writes ``heavy`` times as much as each of the others."""
    job = Job(64, 60)
    for rank in range(64):
        each = 8 * (heavy if rank == 9 else 1)
        job.one_after_the_other(
            "posix",
            "write",
            "/scratch/parts.dat",
            [rank],
            (rank * 1000 + np.arange(each))[None, :] * MIB,
            MIB,
            1.0,
            took(MIB),
        )
    return job


def one_rank_writes_most() -> Job:
    return shares(60)


def all_ranks_write_alike() -> Job:
    return shares(1)


def written(times: int) -> Job:
    job = Job(16, 60)
    for number in range(times):
        job.one_after_the_other(
            "posix",
            "write",
            "/scratch/state.dat",
            np.arange(16),
            blocks(16, 8, 4 * MIB),
            4 * MIB,
            1.0 + 5 * number,
            took(4 * MIB),
        )
    return job


def the_same_extents_are_written_again() -> Job:
    return written(8)


def each_extent_is_written_once() -> Job:
    return written(1)


def reads_past_the_end(empty: bool) -> Job:
    """A loader that asks until it gets nothing: each file costs one more read."""
    job = Job(8, 60, exe="python train.py")
    for rank in range(8):
        sizes = np.tile([200_000, 0 if empty else 100_000], 400)[None, :]
        offsets = np.cumsum(sizes, axis=1) - sizes
        job.one_after_the_other("posix", "read", f"/scratch/set.{rank}", [rank], offsets, sizes, 1.0, 0.02)
    return job


def every_second_read_gets_nothing() -> Job:
    return reads_past_the_end(empty=True)


def every_read_gets_something() -> Job:
    return reads_past_the_end(empty=False)


def waiting_close(seconds: float) -> Job:
    job = Job(32, 60)
    job.one_after_the_other(
        "posix", "write", "/scratch/last.dat", np.arange(32), blocks(32, 8, 4 * MIB), 4 * MIB, 1.0, 0.1
    )
    job.count(
        "posix", "/scratch/last.dat", np.arange(32),
        f_meta_time=seconds, f_close_start_timestamp=2.0, f_close_end_timestamp=2.0 + seconds,
    )  # fmt: skip
    return job


def close_waits_for_the_data() -> Job:
    return waiting_close(12.0)


def close_returns_at_once() -> Job:
    return waiting_close(0.01)


def loader(threads: int) -> Job:
    """Reads a thousand samples of 100 KB with so many threads."""
    job = Job(2, 60, exe="python train.py", threads=threads)
    for rank in range(2):
        for number in range(800):
            path = f"/scratch/images/{rank}.{number}.jpg"
            job.one_after_the_other(
                "posix", "read", path, [rank], np.arange(2)[None, :] * 50_000, 50_000, 1.0 + number * 0.06, 0.02
            )
    return job


def one_thread_loads_all_samples() -> Job:
    return loader(1)


def eight_threads_load_the_samples() -> Job:
    return loader(8)


def own_files(in_turn: bool) -> Job:
    """Eight ranks write 64 MiB each to files of their own."""
    job = Job(8, 30)
    for rank in range(8):
        start = 1.0 + (2.0 * rank if in_turn else 0.0)
        job.one_after_the_other(
            "posix", "write", f"/scratch/part.{rank}", np.array([rank]), blocks(1, 16, 4 * MIB), 4 * MIB, start, 0.125
        )
    return job


def ranks_write_own_files_in_turn() -> Job:
    return own_files(in_turn=True)


def ranks_write_own_files_at_once() -> Job:
    return own_files(in_turn=False)
