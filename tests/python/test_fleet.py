"""Datasets of many logs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import diya
import polars
import pytest
from conftest import LOGS


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> diya.Fleet:
    folder = tmp_path_factory.mktemp("fleet")
    logs = folder / "logs"
    logs.mkdir()
    for name in ("fsync_many", "ior_mpiio_coll_hints", "nonmpi_cp"):
        shutil.copy(LOGS / f"{name}.darshan", logs)
    ingest = [sys.executable, "-m", "diya", "fleet", "ingest", str(logs), "-o", str(folder / "set")]
    subprocess.run([*ingest, "--system", "test"], check=True, capture_output=True)
    return diya.fleet(folder / "set")


def test_sql_answers_as_arrow(dataset: diya.Fleet) -> None:
    rows = dataset.sql("select count(*) as jobs, max(nprocs) as most from job")
    assert rows.to_dicts() == [{"jobs": 3, "most": 8}]
    assert polars.DataFrame(dataset.sql("select program from job")).height == 3


def test_every_question_has_an_answer(dataset: diya.Fleet) -> None:
    questions = dataset.questions()
    assert len(questions) > 30
    for question in questions:
        rows = dataset.ask(question.name)
        assert len(rows.columns) > 0, question.name


def test_a_parameter_is_set(dataset: diya.Fleet) -> None:
    (question,) = (q for q in dataset.questions() if q.name == "who")
    assert question.parameters["most"][1] == "rows"
    # So many programs, and so many users.
    assert (len(dataset.ask("who", most=1)), len(dataset.ask("who"))) == (2, 4)
    with pytest.raises(diya.SettingError, match="has no parameter"):
        dataset.ask("who", wrong=1)


def test_what_is_not_there(dataset: diya.Fleet, tmp_path: Path) -> None:
    with pytest.raises(diya.OpenError):
        diya.fleet(tmp_path)
    with pytest.raises(diya.QueryError):
        dataset.sql("select nothing from job")
    with pytest.raises(diya.UnknownNameError):
        dataset.ask("no-such-question")
