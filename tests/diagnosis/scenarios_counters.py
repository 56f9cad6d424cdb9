"""Jobs that never ran, known by their counters: bytes that come again, shares, times without a cause."""

from __future__ import annotations

import numpy as np
from scenario_parts import MIB
from simulated_job import Job


def settings_read(passes: int) -> Job:
    """A program opens its settings of 4 KiB so many times, and reads them to the end."""
    job = Job(1, 60)
    job.count(
        "posix", "/scratch/settings.txt", 0, opens=passes, reads=2 * passes, bytes_read=4096 * passes,
        max_byte_read=4095, size_read_0_100=passes, size_read_1k_10k=passes,
        f_read_time=passes * 0.0005, f_meta_time=passes * 0.001,
    )  # fmt: skip
    return job


def settings_for_every_step() -> Job:
    return settings_read(5000)


def settings_once() -> Job:
    return settings_read(1)


def columns_read(is_scattered: bool) -> Job:
    """A table of 20 MB by columns: each seek lets the library read a buffer of 128 KiB again."""
    job = Job(1, 60)
    reads = 100_000 if is_scattered else 153
    job.count(
        "posix", "/scratch/table.dat", 0, reads=reads, bytes_read=reads * 131_072, max_byte_read=20_000_000,
        seeks=reads if is_scattered else 0, consec_reads=0 if is_scattered else reads, seq_reads=reads // 2,
        size_read_100k_1m=reads, f_read_time=reads * 0.0001, f_meta_time=reads * 0.00001,
    )  # fmt: skip
    return job


def columns_by_seeks() -> Job:
    return columns_read(is_scattered=True)


def columns_in_file_order() -> Job:
    return columns_read(is_scattered=False)


def element_transfers(calls: int, size: int) -> Job:
    """One rank writes a dataset of HDF5 in calls of this size; a chunk cache collects them."""
    job = Job(1, 60)
    path, moved = "/scratch/table.h5", calls * size
    job.one_after_the_other("posix", "write", path, [0], np.arange(max(moved // MIB, 1))[None, :] * MIB, MIB, 1.0, 0.02)
    job.count("H5F", path, 0, opens=1)
    job.count(
        "H5D", f"{path}:table", 0, opens=1, dataspace_ndims=1, datatype_size=8, writes=calls, bytes_written=moved,
        regular_hyperslab_selects=calls, f_write_time=calls * 0.00002,
    )  # fmt: skip
    return job


def elements_of_a_dataset() -> Job:
    return element_transfers(400_000, 8)


def slabs_of_a_dataset() -> Job:
    return element_transfers(50, 64 * 1024)


def own_files(top: int) -> Job:
    """16 ranks write a file each; rank 3 writes ``top`` requests of 1 MiB, the others 20."""
    job = Job(16, 60)
    for rank in range(16):
        requests = top if rank == 3 else 20
        job.one_after_the_other(
            "posix", "write", f"/scratch/patch.{rank}", [rank], np.arange(requests)[None, :] * MIB, MIB, 1.0, 0.025
        )
    return job


def most_patches_on_one_rank() -> Job:
    return own_files(400)


def patches_on_all_ranks() -> Job:
    return own_files(20)


def reads_at(took_s: float) -> Job:
    """One process reads a file in order, in large requests that take so long."""
    job = Job(1, 60)
    size = MIB // 2
    job.one_after_the_other("posix", "read", "/scratch/in.dat", [0], np.arange(400)[None, :] * size, size, 1.0, took_s)
    return job


def slow_without_a_cause() -> Job:
    return reads_at(0.1)


def as_fast_as_memory() -> Job:
    return reads_at(0.0001)
