"""What the scenarios share: costs of requests, and who writes where.

Sizes and times are those of a busy cluster: a request costs 5 ms on the file
system, and a rank moves 50 MB/s.
"""

from __future__ import annotations

import numpy as np
from simulated_job import Job

MIB = 1 << 20
LATENCY_S = 0.005
BYTES_PER_S = 50e6


def took(size_bytes: int) -> float:
    """Seconds of a request of this size."""
    return LATENCY_S + size_bytes / BYTES_PER_S


def blocks(ranks: int, each: int, size: int) -> np.ndarray:
    """Offsets of contiguous regions of a shared file, one per rank, in order."""
    return np.arange(ranks)[:, None] * each * size + np.arange(each)[None, :] * size


def interleaved(ranks: int, each: int, size: int) -> np.ndarray:
    """Offsets of records that take turns: rank 0, 1, 2, ..., rank 0, ..."""
    return (np.arange(each)[None, :] * ranks + np.arange(ranks)[:, None]) * size


def shared_output(job: Job, path: str, each: int = 32, size: int = MIB, start: float = 1.0) -> None:
    """All ranks write contiguous regions of one file in large requests."""
    offsets = blocks(job.nprocs, each, size)
    job.one_after_the_other("posix", "write", path, np.arange(job.nprocs), offsets, size, start, took(size))
