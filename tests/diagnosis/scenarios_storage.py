"""Jobs that never ran: storage targets, stripes, and file systems that are no good for bulk data."""

from __future__ import annotations

import numpy as np
from scenario_parts import MIB, blocks, shared_output, took
from simulated_job import Job


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


def files_on(used: list[int], slow: int = -1, each: int = 256, files: int = 96, **job_facts) -> Job:
    """96 ranks write a file each, every file on one of these targets in turn."""
    job = Job(files, 120, **job_facts)
    for rank in range(files):
        path, target = f"/scratch/out.{rank}", used[rank % len(used)]
        seconds = took(MIB) * (8 if target == slow else 1)
        job.one_after_the_other("posix", "write", path, [rank], np.arange(each)[None, :] * MIB, MIB, 1.0, seconds)
        job.stripes(path, MIB, [target])
    return job


def all_files_on_one_target() -> Job:
    return files_on([5])


def all_files_on_two_targets_of_many() -> Job:
    return files_on([4, 5], targets=248)


def files_on_all_of_eight_targets() -> Job:
    return files_on(list(range(8)), targets=8)


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


def one_file_of_thousands(slowest_s: float, writers: int = 4096) -> Job:
    """4096 ranks write 64 MiB each into one file on 64 targets; the last ones wait for locks."""
    job = Job(4096, 120, has_trace=False)
    path, ranks = "/scratch/plasma.dat", np.arange(writers)
    times = np.linspace(2.0, slowest_s, writers)[:, None]
    size = 64 * MIB * (4096 // writers)
    job.one_after_the_other("posix", "write", path, ranks, blocks(writers, 1, size), size, 1.0, times)
    job.count("posix", path, np.arange(4096), opens=0, f_meta_time=0.001)
    job.stripes(path, 4 * MIB, list(range(64)))
    return job


def thousands_contend_for_one_file() -> Job:
    return one_file_of_thousands(40.0)


def thousands_share_one_file_in_peace() -> Job:
    return one_file_of_thousands(2.5)


def a_few_write_for_thousands() -> Job:
    return one_file_of_thousands(40.0, writers=64)
