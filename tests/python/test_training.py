"""Trainings of real libraries, recorded: their steps, their loaders, and what they wait for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import diya
import pytest

PROGRAMS = Path(__file__).parent / "training"

Train = Callable[..., diya.Job]


@pytest.fixture
def train(tmp_path: Path) -> Train:
    def run(program: str, *words: str, stacks: bool = False) -> diya.Job:
        command = [sys.executable, str(PROGRAMS / program)]
        subprocess.run([*command, "make", str(tmp_path)], check=True)
        job = diya.record([*command, "train", str(tmp_path), *words], output=tmp_path / "run.diya", stacks=stacks)
        assert job.returncode == 0
        return diya.open(tmp_path / "run.diya")

    return run


def one(job: diya.Job, metric: str) -> dict[str, Any]:
    rows = job.metric(metric).to_dicts()
    assert len(rows) == 1, rows
    return rows[0]


def test_a_program_that_loads_by_itself_waits_all_of_the_loading(train: Train) -> None:
    job = train("sklearn_batches.py", "0")
    training = one(job, "training")
    assert (training["source"], training["steps"], training["epochs"]) == ("annotation", 24, 2)
    assert (training["loader_processes"], training["wait_source"]) == (0, "annotation")
    # 20 ms of each batch; that of the first batch of an epoch lies before the first step.
    assert 0.02 * 22 <= training["wait_s"] < training["span_s"]
    assert training["samples"] == 22, "each batch is a file"
    assert one(job, "data_loader")["kind"] == "itself"


def test_the_wait_is_that_of_the_consumer_and_not_the_sum_over_workers(train: Train) -> None:
    job = train("sklearn_batches.py", "3")
    training = one(job, "training")
    assert (training["steps"], training["epochs"], training["loader_processes"]) == (24, 2, 3)
    assert training["wait_s"] < 0.02 * 22, "three workers load side by side"
    assert training["lost_step_rate"] > 0
    loaders = job.metric("data_loader").to_dicts()
    assert {loader["kind"] for loader in loaders} == {"process"}
    assert len({loader["consumer"] for loader in loaders}) == 1


def test_processes_of_torchrun_are_one_job_with_a_training_each(tmp_path: Path) -> None:
    program = [sys.executable, str(PROGRAMS / "sklearn_batches.py")]
    subprocess.run([*program, "make", str(tmp_path)], check=True)
    launcher = [sys.executable, str(PROGRAMS / "as_torchrun.py")]
    command = [*launcher, *program, "train", str(tmp_path), "2"]
    assert diya.record(command, output=tmp_path / "run.diya").returncode == 0
    job = diya.open(tmp_path / "run.diya")
    trainings = job.metric("training").to_dicts()
    assert [training["steps"] for training in trainings] == [24, 24]
    assert [training["loader_processes"] for training in trainings] == [2, 2]
    loaders = job.metric("data_loader").to_dicts()
    consumers = {training["process"] for training in trainings}
    assert {loader["consumer"] for loader in loaders} == consumers
    launched = job.sql("""
        select distinct rank, local_rank, launcher, launcher_size from process
        where step_rank is not null order by rank""").to_dicts()
    assert launched == [
        {"rank": rank, "local_rank": rank, "launcher": "torchrun", "launcher_size": 2} for rank in (0, 1)
    ]


@pytest.mark.parametrize("stacks", [False, True])
def test_a_process_that_reads_the_members_of_one_shard_is_a_loader(train: Train, tmp_path: Path, stacks: bool) -> None:
    job = train("webdataset_shard.py", stacks=stacks)
    loader = one(job, "data_loader")
    assert (loader["kind"], loader["library"], loader["files"]) == ("process", "webdataset", 1)
    assert loader["evidence"] == ("stack" if stacks else "module")
    assert loader["bytes"] > loader["calls"] * 1000
    training = one(job, "training")
    assert training["source"] == "period"
    assert training["steps"] == 20
    assert training["wait_source"] in ("calls", "samples")
    # Pipes tell when the program waits, also where they are left out of all calls.
    paths = "select distinct kind from call join file using (log, file_id)"
    assert {"kind": "pipe"} not in job.sql(paths).to_dicts()
    with_pipes = diya.open(tmp_path / "run.diya", system_files=True)
    assert {"kind": "pipe"} in with_pipes.sql(paths).to_dicts()
    assert one(with_pipes, "training") == training
