"""Jobs that never ran: faults at a scale no test machine has, and their look-alikes.

Each function makes one log; ``planted.toml`` says which checks have to find
something in it and which must not. Sizes and times are those of a busy
cluster: a request costs 5 ms on the file system, and a rank moves 50 MB/s.
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


def single_stripe(job: Job, targets: list[int]) -> Job:
    shared_output(job, "/scratch/field.dat")
    job.stripes("/scratch/field.dat", MIB, targets)
    return job


def shared_file_on_one_target() -> Job:
    return single_stripe(Job(256, 60), [17])


def shared_file_on_sixteen_targets() -> Job:
    return single_stripe(Job(256, 60), list(range(16)))


def small_file_on_one_target() -> Job:
    job = Job(256, 60)
    shared_output(job, "/scratch/field.dat", each=1, size=100_000)
    job.stripes("/scratch/field.dat", MIB, [3])
    return job


def output_on(kind: str, mount: str, each: int = 64) -> Job:
    job = Job(64, 60, mounts=((kind, mount), ("lustre", "/scratch"), ("ext4", "/")))
    for rank in range(job.nprocs):
        offsets = np.arange(each)[None, :] * MIB
        path = f"{mount}/out.{rank:04}"
        job.one_after_the_other("posix", "write", path, [rank], offsets, MIB, 1.0, took(MIB))
    return job


def output_through_dfuse() -> Job:
    return output_on("fuse.daos", "/daos")


def little_output_through_dfuse() -> Job:
    return output_on("fuse.daos", "/daos", each=1)


def output_on_nfs() -> Job:
    return output_on("nfs4", "/home")


def little_output_on_nfs() -> Job:
    return output_on("nfs4", "/home", each=1)


def output_on_lustre() -> Job:
    return output_on("lustre", "/work")


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


def rank_zero_writes_everything() -> Job:
    job = Job(128, 100)
    job.one_after_the_other("posix", "write", "/scratch/all.dat", [0], np.arange(1024)[None, :] * 4 * MIB, 4 * MIB, 1.0, took(4 * MIB))
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
        job.one_after_the_other("posix", "read", f"/scratch/part.{rank}", [rank], offsets[rank : rank + 1], size, 1.0, took(size))
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
            job.one_after_the_other("posix", "write", path, [rank], np.arange(each)[None, :] * 200_000, 200_000, 1.0 + number * 0.01, LATENCY_S)
            job.count("posix", path, rank, opens=each, f_meta_time=seconds / files)
    return job


def a_file_opened_for_each_record() -> Job:
    return opens(each=400, files=1, seconds=5.0)


def a_file_opened_once() -> Job:
    return opens(each=1, files=1, seconds=0.01)


def a_thousand_files_for_each_rank() -> Job:
    return opens(each=1, files=300, seconds=20.0)


def a_few_files_for_each_rank() -> Job:
    return opens(each=1, files=10, seconds=0.05)


def synced(writes: int, syncs: int, seconds: float) -> Job:
    job = Job(32, 60)
    for rank in range(32):
        path = f"/scratch/journal.{rank}"
        job.one_after_the_other("posix", "write", path, [rank], np.arange(writes)[None, :] * 512_000, 512_000, 1.0, took(512_000))
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
        job.one_after_the_other("posix", "write", path, [rank], places, size, 1.011 if between else 20.0, 0.01, pause=0.012 if between else 0)
    return job


def reads_and_writes_take_turns() -> Job:
    return turns(between=True)


def reads_then_writes() -> Job:
    return turns(between=False)


def records(size: int, each: int) -> Job:
    """256 ranks write records that take turns in a shared file."""
    job = Job(256, 60)
    job.one_after_the_other("posix", "write", "/scratch/records.dat", np.arange(256), interleaved(256, each, size), size, 1.0, took(size))
    job.stripes("/scratch/records.dat", MIB, list(range(8)))
    return job


def small_records_in_turns() -> Job:
    return records(4096, 500)


def large_records_in_turns() -> Job:
    return records(4 * MIB, 8)


def large_records_off_the_stripes() -> Job:
    return records(4 * MIB - 4096, 300)


def mpiio_writes(size: int, each: int, collective: bool) -> Job:
    job = Job(256, 60)
    path = "/scratch/array.dat"
    job.one_after_the_other(
        "mpiio", "write", path, np.arange(256), interleaved(256, each, size), size, 1.0, took(size), collective=collective
    )
    if collective:
        job.one_after_the_other("posix", "write", path, np.arange(0, 256, 32), blocks(8, 40, 4 * MIB), 4 * MIB, 1.0, took(4 * MIB))
    else:
        job.one_after_the_other("posix", "write", path, np.arange(256), interleaved(256, each, size), size, 1.0, took(size))
    job.stripes(path, MIB, list(range(8)))
    return job


def small_independent_writes() -> Job:
    return mpiio_writes(20_000, 300, collective=False)


def small_collective_writes() -> Job:
    return mpiio_writes(20_000, 300, collective=True)


def large_independent_writes() -> Job:
    return mpiio_writes(16 * MIB, 8, collective=False)


def streams(megabytes: int) -> Job:
    job = Job(32, 60)
    for rank in range(32):
        path = f"/scratch/table.{rank}.txt"
        size = 32_768
        job.one_after_the_other("stdio", "write", path, [rank], np.arange(megabytes * 32)[None, :] * size, size, 1.0, 0.004)
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


def files_on(targets: list[int], slow: int = -1, each: int = 256, files: int = 96) -> Job:
    """96 ranks write a file each, every file on one of these targets in turn."""
    job = Job(files, 120)
    for rank in range(files):
        path, target = f"/scratch/out.{rank}", targets[rank % len(targets)]
        seconds = took(MIB) * (8 if target == slow else 1)
        job.one_after_the_other("posix", "write", path, [rank], np.arange(each)[None, :] * MIB, MIB, 1.0, seconds)
        job.stripes(path, MIB, [target])
    return job


def all_files_on_two_targets() -> Job:
    return files_on([4, 5])


def files_on_eight_targets() -> Job:
    return files_on(list(range(8)))


def one_target_of_eight_is_slow() -> Job:
    return files_on(list(range(8)), slow=6)


def target_with_two_files(is_hot: bool) -> Job:
    """A large file over eight targets, and another one on one of them or on the other seven."""
    job = Job(128, 60)
    for name, targets, each in (("field", list(range(8)), 32), ("index", [3] if is_hot else list(range(8, 16)), 24)):
        shared_output(job, f"/scratch/{name}.dat", each=each, start=1.0 if name == "field" else 20.0)
        job.stripes(f"/scratch/{name}.dat", MIB, targets)
    return job


def one_target_has_most_bytes() -> Job:
    return target_with_two_files(is_hot=True)


def targets_are_level() -> Job:
    return target_with_two_files(is_hot=False)


def many_small_files(stripes: int) -> Job:
    job = Job(32, 60)
    for rank in range(32):
        for number in range(20):
            path = f"/scratch/small.{rank}.{number}"
            job.one_after_the_other("posix", "write", path, [rank], [[0]], 100_000, 1.0 + number, 0.01)
            job.count("posix", path, rank, f_meta_time=0.02 * stripes)
            job.stripes(path, MIB, list(range(stripes)))
    return job


def small_files_over_eight_targets() -> Job:
    return many_small_files(8)


def small_files_on_one_target_each() -> Job:
    return many_small_files(1)


def collective(size: int, rounds: int, merged: int, mpiio_s: float, posix_s: float, ranks: int = 128, syncs: int = 0) -> Job:
    """``rounds`` collective writes by all ranks, which four aggregators turn into requests
    of ``merged`` bytes; seconds are those of each rank and of each aggregator."""
    job = Job(ranks, 120)
    path = "/scratch/collective.dat"
    job.one_after_the_other(
        "mpiio", "write", path, np.arange(ranks), interleaved(ranks, rounds, size), size, 1.0, mpiio_s / rounds, collective=True
    )
    each = max(ranks * rounds * size // merged // 4, 1)
    job.one_after_the_other("posix", "write", path, np.arange(0, ranks, ranks // 4), blocks(4, each, merged), merged, 1.0, posix_s / each)
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
        job.one_after_the_other(layer, "write", path, np.arange(128), offsets, 20_000, 1.0, 0.05, collective=layer == "mpiio")
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
