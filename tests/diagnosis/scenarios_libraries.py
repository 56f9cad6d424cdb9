"""Jobs that never ran: HDF5, PnetCDF, streams, Python, and files by the thousand."""

from __future__ import annotations

import numpy as np
from scenario_parts import MIB, blocks, interleaved, shared_output, took
from simulated_job import Job


def filled(has_fill: bool) -> Job:
    """Rank 0 writes fill values over all of a dataset before the ranks write it."""
    job = Job(64, 60)
    path = "/scratch/field.h5"
    if has_fill:
        job.one_after_the_other("posix", "write", path, [0], np.arange(64)[None, :] * 4 * MIB, 4 * MIB, 1.0, 0.2)
    job.one_after_the_other("posix", "write", path, np.arange(64), blocks(64, 1, 4 * MIB), 4 * MIB, 20.0, 0.2)
    return job


def fill_values_by_rank_zero() -> Job:
    return filled(has_fill=True)


def no_fill_values() -> Job:
    return filled(has_fill=False)


def dataset(requests: np.ndarray, size: int, took_s: float, h5f: dict | None = None, **h5d: float) -> Job:
    """64 ranks write one dataset with these POSIX requests."""
    job = Job(64, 60)
    path = "/scratch/data.h5"
    job.one_after_the_other("posix", "write", path, np.arange(64), requests, size, 1.0, took_s)
    job.count("H5F", path, -1, **({"opens": 64, "use_mpiio": 1} | (h5f or {})))
    job.count(
        "H5D",
        f"{path}:temperature",
        -1,
        **({"opens": 64, "dataspace_ndims": 2, "datatype_size": 8, "bytes_written": requests.size * size} | h5d),
    )
    return job


def flush_after_each_dataset_write() -> Job:
    job = dataset(
        blocks(64, 200, 65_536), 65_536, 0.02, h5f={"flushes": 64 * 200, "f_meta_time": 64 * 10.0}, writes=64 * 200
    )
    return job


def flush_once() -> Job:
    return dataset(blocks(64, 200, 65_536), 65_536, 0.02, h5f={"flushes": 64}, writes=64 * 200)


def independent_dataset_transfers() -> Job:
    return dataset(interleaved(64, 200, 8192), 8192, 0.02, writes=64 * 200, use_mpiio_collective=0)


def collective_dataset_transfers() -> Job:
    job = Job(64, 60)
    path = "/scratch/data.h5"
    job.one_after_the_other("posix", "write", path, [0, 32], blocks(2, 26, 4 * MIB), 4 * MIB, 1.0, 0.2)
    job.count("H5F", path, -1, opens=64, use_mpiio=1)
    job.count(
        "H5D",
        f"{path}:temperature",
        -1,
        opens=64,
        writes=64 * 200,
        bytes_written=64 * 200 * 8192,
        use_mpiio_collective=1,
    )
    return job


def chunks_of_another_shape() -> Job:
    """Chunks of 8 MiB for accesses of 64 KiB: each access moves a whole chunk."""
    return dataset(
        blocks(64, 40, 8 * MIB),
        8 * MIB,
        0.2,
        writes=64 * 40,
        bytes_written=64 * 40 * 65_536,
        chunk_size_d1=1024,
        chunk_size_d2=1024,
    )


def chunks_that_fit() -> Job:
    return dataset(blocks(64, 8, 8 * MIB), 8 * MIB, 0.2, writes=64 * 8, chunk_size_d1=1024, chunk_size_d2=1024)


def thousands_of_tiny_chunks() -> Job:
    return dataset(
        blocks(64, 200, 4096),
        4096,
        0.02,
        writes=64 * 4,
        chunk_size_d1=16,
        chunk_size_d2=32,
        f_write_time=300.0,
        f_slowest_rank_time=5.0,
    )


def scattered_points() -> Job:
    return dataset(
        blocks(64, 100, 65_536), 65_536, 0.02, writes=64 * 100, point_selects=64 * 100, f_slowest_rank_time=3.0
    )


def regular_hyperslabs() -> Job:
    return dataset(
        blocks(64, 100, 65_536),
        65_536,
        0.02,
        writes=64 * 100,
        regular_hyperslab_selects=64 * 100,
        f_slowest_rank_time=3.0,
    )


def variables(collective: int, independent: int, merged: bool, nonblocking: int = 0, size: int = 16_384) -> Job:
    """Ranks write many variables of a PnetCDF file, a piece at a time."""
    job = Job(32, 60)
    path, each = "/scratch/run.nc", 300
    if merged:
        job.one_after_the_other("posix", "write", path, [0, 16], blocks(2, 19, 4 * MIB), 4 * MIB, 1.0, 0.1)
    else:
        job.one_after_the_other("posix", "write", path, np.arange(32), interleaved(32, each, size), size, 1.0, 0.02)
    job.count(
        "PNETCDF_VAR", f"{path}:u", -1, opens=32,
        coll_writes=collective * 32 * each, indep_writes=independent * 32 * each,
        nb_writes=nonblocking * 32 * each, bytes_written=32 * each * size,
        f_write_time=32 * 10.0, f_slowest_rank_time=10.0,
    )  # fmt: skip
    return job


def independent_variables() -> Job:
    return variables(0, 1, merged=False)


def many_small_puts() -> Job:
    return variables(1, 0, merged=True)


def puts_that_wait_together() -> Job:
    return variables(0, 0, merged=True, nonblocking=1)


def on_gpfs(size: int, each: int) -> Job:
    job = Job(64, 60, mounts=(("gpfs", "/gpfs"), ("ext4", "/")), file_alignment_bytes=16 * MIB)
    job.one_after_the_other(
        "posix", "write", "/gpfs/out.dat", np.arange(64), interleaved(64, each, size), size, 1.0, took(size)
    )
    return job


def requests_below_the_block() -> Job:
    return on_gpfs(300_000, 100)


def requests_of_whole_blocks() -> Job:
    return on_gpfs(16 * MIB, 20)


def lines(flushes: int) -> Job:
    job = Job(8, 60)
    for rank in range(8):
        path = f"/scratch/log.{rank}"
        job.one_after_the_other("stdio", "write", path, [rank], np.arange(3000)[None, :] * 200, 200, 1.0, 0.005)
        job.count("stdio", path, rank, flushes=flushes)
    return job


def flush_after_each_line() -> Job:
    return lines(3000)


def flush_after_each_step() -> Job:
    return lines(20)


def imports(ranks: int, modules: int) -> Job:
    job = Job(ranks, 120, exe="python model.py")
    for number in range(modules):
        path = f"/sw/lib/python3.11/site-packages/numpy/module{number}.py"
        job.one_after_the_other(
            "posix", "read", path, np.arange(ranks), np.zeros((ranks, 1), int), 20_000, 1.0 + 0.1 * number, 0.005
        )
        job.count("posix", path, np.arange(ranks), f_meta_time=0.05, stats=3)
    return job


def every_rank_imports_python_modules() -> Job:
    return imports(64, 150)


def one_rank_imports_python_modules() -> Job:
    return imports(1, 150)


def created(directories: int) -> Job:
    """Twelve thousand files of 20 ranks, in so many directories."""
    job = Job(20, 120)
    for number in range(12_000):
        path, rank = f"/scratch/run/{number % directories}/part.{number}", number % 20
        job.count(
            "posix",
            path,
            rank,
            opens=1,
            writes=1,
            bytes_written=2_000_000,
            size_write_1m_4m=1,
            f_write_time=0.01,
            f_meta_time=0.02,
        )
    return job


def twelve_thousand_files_in_a_directory() -> Job:
    return created(1)


def twelve_thousand_files_in_many_directories() -> Job:
    return created(200)


def inputs(files: int, size: int) -> Job:
    job = Job(8, 60)
    for number in range(files):
        path = f"/scratch/inputs/{number}"
        rank = number % 8
        bins = "size_read_10k_100k" if size < 102_400 else "size_read_4m_10m"
        job.count(
            "posix",
            path,
            rank,
            opens=1,
            reads=1,
            bytes_read=size,
            max_byte_read=size - 1,
            f_read_time=0.01,
            f_meta_time=0.01,
            **{bins: 1},
        )
    return job


def thousands_of_small_inputs() -> Job:
    return inputs(2400, 50_000)


def a_few_large_inputs() -> Job:
    return inputs(40, 8 * MIB)


def asked_about(stats: int) -> Job:
    job = Job(16, 60)
    for rank in range(16):
        path = f"/scratch/queue/job.{rank}"
        job.one_after_the_other("posix", "read", path, [rank], [[0]], 200_000, 1.0, 0.01)
        job.count("posix", path, rank, stats=stats, f_meta_time=stats * 0.01)
    return job


def waits_by_asking_for_a_file() -> Job:
    return asked_about(500)


def asks_before_opening() -> Job:
    return asked_about(1)


def home(each: int) -> Job:
    job = Job(32, 60, mounts=(("lustre", "/scratch"), ("xfs", "/home"), ("ext4", "/")))
    for rank in range(32):
        path = f"/home/ada/out.{rank}"
        job.one_after_the_other("posix", "write", path, [rank], np.arange(each)[None, :] * MIB, MIB, 1.0, took(MIB))
    return job


def bulk_output_to_home() -> Job:
    return home(100)


def a_little_output_to_home() -> Job:
    return home(1)


def cached_reads() -> Job:
    """Sixteen GiB come back from Lustre at 20 GB/s per rank: from memory, not from there."""
    job = Job(64, 60)
    job.one_after_the_other(
        "posix", "read", "/scratch/restart.dat", np.arange(64), blocks(64, 64, 4 * MIB), 4 * MIB, 1.0, 0.0002
    )
    return job


def beside_a_fast_disk(is_used: bool) -> Job:
    job = Job(64, 60, mounts=(("lustre", "/scratch"), ("xfs", "/mnt/bb"), ("ext4", "/")))
    shared_output(job, "/scratch/checkpoint.dat", each=128, size=16 * MIB)
    if is_used:
        job.one_after_the_other(
            "posix", "write", "/mnt/bb/stage.dat", [3], np.arange(64)[None, :] * MIB, MIB, 1.0, 0.001
        )
    return job


def node_local_disk_is_idle() -> Job:
    return beside_a_fast_disk(is_used=False)


def node_local_disk_is_used() -> Job:
    return beside_a_fast_disk(is_used=True)


def one_aggregator_for_all(stripes: int = 8) -> Job:
    """Collective output of four nodes goes through a single rank."""
    job = Job(128, 120)
    path = "/scratch/through_one.dat"
    job.one_after_the_other(
        "mpiio", "write", path, np.arange(128), blocks(128, 4, 4 * MIB), 4 * MIB, 1.0, 6.0, collective=True
    )
    job.one_after_the_other("posix", "write", path, [0], np.arange(128)[None, :] * 16 * MIB, 16 * MIB, 1.0, 0.18)
    job.count("posix", path, np.arange(128), f_meta_time=0.001)
    job.stripes(path, MIB, list(range(stripes)))
    return job


def training_steps(step_s: float, steps: int, epochs: int = 1) -> Job:
    """Four processes read four samples of 256 KiB for each step, and compute the rest of it; 20 s between epochs."""
    job = Job(4, 10 + step_s * steps + 20 * (epochs - 1), exe="python train.py")
    epoch = np.arange(steps) * epochs // steps
    starts = 1.0 + (step_s * np.arange(steps) + 20 * epoch)[:, None] + 0.0125 * np.arange(4)[None, :]
    offsets = np.arange(4 * steps).reshape(steps, 4) * 262_144
    for rank in range(4):
        job.requests_of("posix", "read", f"/scratch/shard.{rank}", rank, offsets, 262_144, starts, 0.012)
    return job


def small_batch_for_every_step() -> Job:
    return training_steps(0.2, 200)


def thousands_of_steps_in_epochs() -> Job:
    return training_steps(0.2, 6000, epochs=3)


def large_batch_for_every_step() -> Job:
    return training_steps(4.0, 10)


def file_of_hdf5(size: int) -> Job:
    """64 ranks write a file of HDF5; the log has no records of the library."""
    job = Job(64, 60)
    job.one_after_the_other("posix", "write", "/scratch/data.h5", np.arange(64), blocks(64, 200, size), size, 1.0, 0.02)
    return job


def small_requests_on_a_file_of_hdf5() -> Job:
    return file_of_hdf5(4096)


def large_requests_on_a_file_of_hdf5() -> Job:
    return file_of_hdf5(4 * MIB)
