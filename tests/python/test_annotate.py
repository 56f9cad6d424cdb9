"""Regions, steps, epochs and notes of Python programs."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import diya
import pytest
from diya import _annotate

#: Two steps with a file each, in one epoch; a decorated function; a note.
PROGRAM = """
import sys, threading
import diya

@diya.region("checkpoint")
def save(number):
    with open(f"{sys.argv[1]}.{number}", "wb", buffering=0) as file:
        file.write(b"x" * 1000)

diya.epoch(0)
for number in diya.steps([10, 20], first=1):
    thread = threading.Thread(target=save, args=(number,))
    thread.start()
    thread.join()
diya.epoch(-1)
diya.note("done")
try:
    with diya.region("fails"):
        raise ValueError
except ValueError:
    pass
"""


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> diya.Job:
    folder = tmp_path_factory.mktemp("annotated")
    program = folder / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(folder / "data")]
    return diya.record(command, output=folder / "run.diya")


def test_what_the_program_says_is_in_the_recording(annotated: diya.Job) -> None:
    rows = annotated.sql(
        "select category, name, number from region where name <> 'wait for data' order by start_s, category"
    )
    assert [tuple(row.values()) for row in rows.to_dicts()] == [
        ("epoch", "epoch", 0),
        ("step", "step", 1),
        ("region", "checkpoint", None),
        ("step", "step", 2),
        ("region", "checkpoint", None),
        ("note", "done", None),
        ("region", "fails", None),
    ]
    assert annotated.sql("select * from region where end_s < start_s").to_dicts() == []


def test_steps_have_the_calls_of_all_threads(annotated: diya.Job) -> None:
    sql = "select name, number, written_bytes from region_io where layer = 'posix' order by 1, 2"
    assert [tuple(row.values()) for row in annotated.sql(sql).to_dicts()] == [
        ("checkpoint", None, 2000),
        ("epoch", 0, 2000),
        ("step", 1, 1000),
        ("step", 2, 1000),
    ]


def test_without_a_recorder_nothing_happens(tmp_path: Path) -> None:
    with diya.region("one"), diya.region("two"):
        diya.step(3)
        diya.epoch(1)
        diya.note("\0 \ud800")
    assert list(diya.steps(iter("abc"))) == ["a", "b", "c"]
    assert _annotate._recorder is None
    assert doctest.testmod(_annotate, extraglobs=vars(diya)).failed == 0


def test_ranges_of_nvtx_are_regions(tmp_path: Path) -> None:
    program = """
import nvtx
with nvtx.annotate("outer", domain="mine"):
    nvtx.push_range("inner")
    nvtx.mark("moment")
    nvtx.pop_range()
"""
    with diya.record([sys.executable, "-c", program]) as job:
        rows = job.sql("select category, name from region order by start_s").to_dicts()
    assert [tuple(row.values()) for row in rows] == [
        ("region", "outer"),
        ("region", "inner"),
        ("note", "moment"),
    ]


#: Contexts as those of PyTorch 2 and TensorFlow 2, and a program that uses them.
OTHERS = """
import sys, types

class record_function:
    def __init__(self, name, args=None): self.name = name
    def __enter__(self): return self
    def __exit__(self, kind, value, traceback): pass

class Trace:
    def __init__(self, name, **kwargs): pass
    def __enter__(self): return self
    def __exit__(self, kind, value, traceback): pass

for module, one in [("torch.autograd.profiler", record_function), ("tensorflow.python.profiler.trace", Trace)]:
    sys.modules[module] = types.ModuleType(module)
    setattr(sys.modules[module], one.__name__, one)

import diya
assert diya.take_annotations() == diya.take_annotations() == ["PyTorch", "TensorFlow"]
with record_function("forward"):
    pass
for number in range(2):
    with Trace("train", step_num=number, _r=1):
        pass
"""


def test_annotations_for_other_profilers_are_taken(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(OTHERS)
    with diya.record([sys.executable, str(program)], output=tmp_path / "run.diya") as job:
        rows = job.sql("select category, name, number from region order by start_s, category desc")
        assert [tuple(row.values()) for row in rows.to_dicts()] == [
            ("region", "forward", None),
            ("step", "step", 0),
            ("region", "train", None),
            ("step", "step", 1),
            ("region", "train", None),
        ]


def test_without_a_recorder_no_annotation_is_taken() -> None:
    assert diya.take_annotations() == []
