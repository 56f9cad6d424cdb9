"""Who a process says that it is: rank, launcher, container, language."""

from __future__ import annotations

import re
import shutil
import subprocess

from harness import Bench, equal

LAUNCHERS = """
PMI_RANK=2 PMI_SIZE=4 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2 -> pmi 2 4 0 2 -
OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 OMPI_COMM_WORLD_LOCAL_RANK=1 \
PMIX_RANK=3 PMIX_NAMESPACE=ns -> openmpi 3 8 1 -1 ns
PMIX_RANK=5 PMIX_NAMESPACE=prte-1 -> pmix 5 -1 -1 -1 prte-1
SLURM_STEP_ID=7 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1 -> slurm 3 8 1 -1 7
SLURM_STEP_ID=7 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1 PMI_RANK=3 PMI_SIZE=8 -> slurm 3 8 -1 -1 7
SLURM_PROCID=0 SLURM_NTASKS=8 -> - -1 -1 -1 -1 -
SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 TORCHELASTIC_RUN_ID=r \
RANK=6 WORLD_SIZE=8 LOCAL_RANK=2 LOCAL_WORLD_SIZE=4 -> torchrun 6 8 2 4 r
RANK=1 WORLD_SIZE=2 MASTER_ADDR=localhost LOCAL_RANK=1 -> torch 1 2 1 -1 -
RANK=1 -> - -1 -1 -1 -1 -
RANK=first MASTER_ADDR=localhost -> - -1 -1 -1 -1 -
PMI_RANK=99999999999999999999 -> - -1 -1 -1 -1 -
HOROVOD_RANK=1 HOROVOD_SIZE=4 HOROVOD_LOCAL_RANK=1 HOROVOD_LOCAL_SIZE=4 -> horovod 1 4 1 4 -
DASK_INTERNAL_INHERIT_CONFIG=x -> dask -1 -1 -1 -1 -
"""
# Set by whoever starts the tests, perhaps.
OTHERS = re.compile("PMI|OMPI|SLURM|RANK|MPI_|CONTAINER|container|DASK|KUBERNETES")


def identity(bench: Bench, *command, **settings: str) -> dict:
    shutil.rmtree(bench.segments, ignore_errors=True)
    env = {key: value for key, value in bench.environment().items() if not OTHERS.search(key)} | settings
    command = command or (bench.programs / "endings", "return", bench.file, "1")
    subprocess.run(command, env=env, capture_output=True, timeout=60)
    name = str(shutil.which(command[0])).rsplit("/", 1)[-1]
    headers = [s.header for s in bench.read()]
    return next((h for h in headers if h["exe"].rsplit("/", 1)[-1] == name), headers[-1])


def launchers_are_known_by_their_environment(bench: Bench) -> None:
    for line in LAUNCHERS.split("\n")[1:-1]:
        settings, wanted = line.split(" -> ")
        header = identity(bench, **dict(setting.split("=") for setting in settings.split()))
        keys = ["launcher", "launcher_rank", "launcher_size", "local_rank", "local_size", "step_id"]
        equal(" ".join(str(header[key]) or "-" for key in keys), wanted, settings)


def containers_are_known(bench: Bench) -> None:
    outside = identity(bench)["container"]
    for settings, wanted in [
        ({"APPTAINER_CONTAINER": "/images/a b.sif"}, "apptainer /images/a b.sif"),
        ({"container": "podman"}, "podman"),
        ({"ENROOT_ROOTFS": "x" * 200}, "enroot " + "x" * 88),
        ({}, outside),
    ]:
        equal(identity(bench, **settings)["container"], wanted, f"container with {settings}")


def runtimes_say_their_version(bench: Bench) -> None:
    tried = {
        "jvm": (["java", "-version"], r"\d+\.\d+"),
        "r": (["Rscript", "-e", "cat(1)"], r"\d+\.\d+\.\d+"),
        "julia": (["julia", "-e", "1"], r"\d+\.\d+"),
    }
    for language, (command, version) in tried.items():
        if shutil.which(command[0]) is None:
            print(f"    not tried: {command[0]} is not installed")
            continue
        identity(bench, *command)
        found = {s.header["language_version"] for s in bench.read() if s.header["language"] == language}
        equal(len(found) == 1 and bool(re.match(version, found.pop())), True, f"{language}: version")
    equal(identity(bench)["language"], "", "language of a C program")
