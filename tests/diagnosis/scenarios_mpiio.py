"""Jobs that never ran: what MPI-IO and HDF5 make of requests."""

from __future__ import annotations

import numpy as np
from scenario_parts import LATENCY_S, MIB, blocks, interleaved, took
from simulated_job import Job


def hdf5_metadata(readers: np.ndarray) -> Job:
    """``readers`` fetch 200 pieces of metadata, then all write collectively."""
    job = Job(512, 30)
    path = "/scratch/particles.h5"
    offsets = np.tile(np.arange(200) * 600, (len(readers), 1))
    for layer in ("mpiio", "posix"):
        job.one_after_the_other(layer, "read", path, readers, offsets, 544, 1.0, LATENCY_S)
    offsets = blocks(job.nprocs, 4, 4 * MIB) + 200 * 600
    job.one_after_the_other(
        "mpiio", "write", path, np.arange(job.nprocs), offsets, 4 * MIB, 5.0, took(4 * MIB), collective=True
    )
    job.one_after_the_other("posix", "write", path, np.arange(16), blocks(16, 128, 4 * MIB), 4 * MIB, 5.0, 0.001)
    job.count("H5F", path, -1, opens=job.nprocs, use_mpiio=1)
    return job


def metadata_read_by_every_rank() -> Job:
    return hdf5_metadata(np.arange(512))


def metadata_read_by_rank_zero() -> Job:
    return hdf5_metadata(np.array([0]))


def mpiio_writes(size: int, each: int, collective: bool) -> Job:
    job = Job(256, 60)
    path = "/scratch/array.dat"
    job.one_after_the_other(
        "mpiio",
        "write",
        path,
        np.arange(256),
        interleaved(256, each, size),
        size,
        1.0,
        took(size),
        collective=collective,
    )
    if collective:
        job.one_after_the_other(
            "posix", "write", path, np.arange(0, 256, 32), blocks(8, 40, 4 * MIB), 4 * MIB, 1.0, took(4 * MIB)
        )
    else:
        job.one_after_the_other(
            "posix", "write", path, np.arange(256), interleaved(256, each, size), size, 1.0, took(size)
        )
    job.stripes(path, MIB, list(range(8)))
    return job


def small_independent_writes() -> Job:
    return mpiio_writes(20_000, 300, collective=False)


def small_collective_writes() -> Job:
    return mpiio_writes(20_000, 300, collective=True)


def large_independent_writes() -> Job:
    return mpiio_writes(16 * MIB, 8, collective=False)


def collective(
    size: int, rounds: int, merged: int, mpiio_s: float, posix_s: float, ranks: int = 128, syncs: int = 0
) -> Job:
    """``rounds`` collective writes by all ranks, which four aggregators turn into requests
    of ``merged`` bytes; seconds are those of each rank and of each aggregator."""
    job = Job(ranks, 120)
    path = "/scratch/collective.dat"
    job.one_after_the_other(
        "mpiio",
        "write",
        path,
        np.arange(ranks),
        interleaved(ranks, rounds, size),
        size,
        1.0,
        mpiio_s / rounds,
        collective=True,
    )
    each = max(ranks * rounds * size // merged // 4, 1)
    job.one_after_the_other(
        "posix", "write", path, np.arange(0, ranks, ranks // 4), blocks(4, each, merged), merged, 1.0, posix_s / each
    )
    job.count("posix", path, np.arange(ranks), f_meta_time=0.002)
    if syncs:
        job.count("mpiio", path, np.arange(ranks), syncs=syncs, f_meta_time=syncs * 0.05)
    job.stripes(path, MIB, list(range(8)))
    return job


def many_small_collectives() -> Job:
    return collective(4096, 1000, 524_288, 30.0, 12.0)


def few_large_collectives() -> Job:
    return collective(4 * MIB, 10, 16 * MIB, 12.0, 11.0)


def collectives_that_merge_nothing() -> Job:
    """Collective buffering is off: each rank's pieces go to the file system as they are."""
    job = Job(128, 60)
    path, offsets = "/scratch/collective.dat", interleaved(128, 100, 20_000)
    for layer in ("mpiio", "posix"):
        job.one_after_the_other(
            layer, "write", path, np.arange(128), offsets, 20_000, 1.0, 0.05, collective=layer == "mpiio"
        )
    return job


def collectives_that_wait_for_their_aggregators() -> Job:
    return collective(4 * MIB, 10, 16 * MIB, 50.0, 8.0)


def large_collectives_cut_in_pieces() -> Job:
    return collective(32 * MIB, 4, 4 * MIB, 60.0, 20.0, ranks=64)


def sync_after_each_collective() -> Job:
    return collective(MIB, 200, 16 * MIB, 20.0, 15.0, syncs=200)


def sync_after_the_last_collective() -> Job:
    return collective(MIB, 200, 16 * MIB, 20.0, 15.0, syncs=1)


def sieved(op: str, holes: bool) -> Job:
    """ROMIO moves whole buffers for pieces with holes between them."""
    job = Job(32, 60)
    path, pieces, size = "/scratch/sieved.dat", 200, 16_384
    offsets = interleaved(32, pieces, size)
    job.one_after_the_other("mpiio", op, path, np.arange(32), offsets, size, 1.0, 0.1)
    if holes:
        buffers = np.arange(pieces // 2)[None, :] * (512 * 1024) + np.zeros((32, 1), int)
        job.one_after_the_other("posix", "read", path, np.arange(32), buffers, 512 * 1024, 1.0, 0.1, pause=0.1)
        if op == "write":
            job.one_after_the_other("posix", "write", path, np.arange(32), buffers, 512 * 1024, 1.1, 0.1, pause=0.1)
    else:
        job.one_after_the_other("posix", op, path, np.arange(32), offsets, size, 1.0, 0.1)
    return job


def writes_with_data_sieving() -> Job:
    return sieved("write", holes=True)


def writes_without_data_sieving() -> Job:
    return sieved("write", holes=False)


def reads_with_data_sieving() -> Job:
    return sieved("read", holes=True)


def reads_without_data_sieving() -> Job:
    return sieved("read", holes=False)
