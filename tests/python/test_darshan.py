"""`diya.darshan.DarshanReport` beside PyDarshan's class of the same name."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import diya
import numpy
import pandas
import pytest
from conftest import LOGS
from diya.darshan import DarshanReport, ModuleNotInDarshanLog

#: PyDarshan reads a log in a process of its own: it prints from C, and refuses some.
PEER = """
import pickle, sys, darshan
report = darshan.DarshanReport(sys.argv[1], read_all=True)
shown = {
    "metadata": report.metadata, "modules": report.modules, "names": report.name_records,
    "mounts": report.mounts, "times": (report.start_time, report.end_time),
    "counters": {m: {k: list(v) for k, v in c.items()} for m, c in report.counters.items()},
    "frames": {m: c.to_df() for m, c in report.records.items() if len(c)},
    "heatmaps": {m: {op: h.to_df([op]) for op in ("read", "write")} for m, h in report.heatmaps.items()},
    "lists": {m: c.to_list() for m, c in report.records.items() if m in ("POSIX", "STDIO")},
}
pickle.dump(shown, open(sys.argv[2], "wb"))
"""

THIRD = sorted(LOGS.glob("*.darshan"))


def of_pydarshan(log: Path, folder: Path) -> dict[str, Any]:
    out = folder / "peer.pickle"
    done = subprocess.run([sys.executable, "-c", PEER, str(log), str(out)], capture_output=True)
    assert done.returncode == 0, f"PyDarshan refuses {log.name}: {done.stderr.decode()}"
    shown = pandas.read_pickle(out)
    assert isinstance(shown, dict)
    return shown


@pytest.mark.parametrize("log", THIRD, ids=lambda log: log.stem)
def test_a_log_looks_as_in_pydarshan(log: Path, tmp_path: Path) -> None:
    peer = of_pydarshan(log, tmp_path)
    own = DarshanReport(log)
    assert own.metadata["exe"] == peer["metadata"]["exe"]
    job, of_peer = dict(own.metadata["job"]), dict(peer["metadata"]["job"])
    run_s, of_peer_s = job.pop("run_time"), of_peer.pop("run_time")
    # PyDarshan's run time has lost nanoseconds, and is negative without an end.
    assert (of_peer_s < 0) if run_s is None else run_s == pytest.approx(of_peer_s, abs=1e-6)
    assert job == of_peer
    assert (own.start_time, own.end_time) == peer["times"]
    assert own.mounts == peer["mounts"]
    assert own.name_records == peer["names"]
    assert {m: i["idx"] for m, i in own.modules.items()} == {m: i["idx"] for m, i in peer["modules"].items()}
    for mod, expected in peer["frames"].items():
        if mod in own.records:
            assert own.modules[mod]["num_records"] == peer["modules"][mod]["num_records"]
            same(mod, own.records[mod].to_df(), expected)
    assert list(own.heatmaps) == list(peer["heatmaps"])
    for mod, maps in peer["heatmaps"].items():
        for op, frame in maps.items():
            pandas.testing.assert_frame_equal(own.heatmaps[mod].to_df([op]), frame)
    for mod, lists in peer["lists"].items():
        assert own.records[mod].to_list() == lists


def same(mod: str, own: Any, peer: Any) -> None:
    if mod.startswith("DXT"):
        assert len(own) == len(peer)
        for ours, theirs in zip(own, peer):
            assert {k: v for k, v in ours.items() if not k.endswith("segments")} == {
                k: v for k, v in theirs.items() if not k.endswith("segments")
            }
            for key in ("read_segments", "write_segments"):
                pandas.testing.assert_frame_equal(ours[key], theirs[key], check_dtype=False)
        return
    assert own.keys() == peer.keys()
    for key in own:
        assert list(own[key].columns) == list(peer[key].columns)
        pandas.testing.assert_frame_equal(own[key], peer[key], check_dtype=False)


def test_records_and_filters(log: str) -> None:
    report = DarshanReport(log, read_all=False)
    assert report.records == {} and "POSIX" in report.modules
    report.mod_read_all_records("POSIX")
    first = report.records["POSIX"][0]
    assert isinstance(first["counters"], numpy.ndarray) and first["counters"].dtype == numpy.int64
    by_name = report.records["POSIX"].to_dict()[0]["counters"]
    assert by_name["POSIX_WRITES"] == 1000 and json.dumps(by_name)
    some = DarshanReport(log, filter_patterns=["0003$"], filter_mode="include")
    assert [name[-4:] for name in some.name_records.values()] == ["0003"]
    assert len(some.records["POSIX"]) == 1 and len(some.records["POSIX"][:1]) == 1
    assert list(some.records["POSIX"].to_df(attach=None)["counters"].columns)[0] == "POSIX_OPENS"
    assert list(report.mod_records("H5F")) == []
    for read in (report.mod_records, report.mod_read_all_records):
        with pytest.raises(ModuleNotInDarshanLog, match="BUGGER"):
            read("BUGGER")
    with pytest.raises(TypeError):
        report.mod_read_all_records("POSIX", filter_pattern=["x"])  # type: ignore[call-arg]
    with pytest.raises(diya.SettingError):
        DarshanReport(log, dtype="polars")


def test_names_are_filtered_by_each_method_that_reads(log: str) -> None:
    report = DarshanReport(log, read_all=False)
    report.mod_read_all_records("POSIX", filter_patterns=["0003$"], filter_mode="include")
    assert len(report.records["POSIX"]) == report.modules["POSIX"]["num_records"] == 1
    # As PyDarshan: the names are read once.
    report.mod_read_all_records("POSIX")
    assert len(report.records["POSIX"]) == 1
    report.mod_read_all_records("POSIX", refresh_names=True)
    assert len(report.records["POSIX"]) == 4
    with pytest.raises(RuntimeError, match="Invalid filter mode"):
        DarshanReport(log, filter_patterns=["x"], filter_mode="both")


def test_what_is_no_single_log_is_a_runtime_error(tmp_path: Path) -> None:
    (tmp_path / "text.darshan").write_text("no log")
    for name in (LOGS, tmp_path / "missing.darshan", tmp_path / "text.darshan"):
        with pytest.raises(RuntimeError, match="Failed to open file") as caught:
            DarshanReport(name)
        assert isinstance(caught.value, diya.OpenError) and caught.value.file == str(name)
        pickle.loads(pickle.dumps(caught.value))
    assert DarshanReport().records == DarshanReport().data["records"] == {}


@pytest.mark.parametrize("dtype", ["dict", "pandas"])
def test_other_forms_of_records_hold_the_same(log: str, dtype: str) -> None:
    report, other = DarshanReport(log), DarshanReport(log, dtype=dtype)
    frame = report.records["POSIX"].to_df()["counters"]
    if dtype == "dict":
        assert [record["counters"]["POSIX_WRITES"] for record in other.records["POSIX"]] == list(frame["POSIX_WRITES"])
    else:
        combined = other.records["POSIX"][0]["counters"]
        assert list(combined.columns[:2]) == ["id", "rank"] and set(combined.index) == {0}
        pandas.testing.assert_frame_equal(combined[frame.columns].reset_index(drop=True), frame)
        segments = other.records["DXT_POSIX"][0]["write_segments"]
        pandas.testing.assert_frame_equal(segments, report.records["DXT_POSIX"].to_df()[0]["write_segments"])


def test_records_can_be_changed_and_are_then_what_frames_show(log: str) -> None:
    report = DarshanReport(log)
    records, calls = report.records["POSIX"], report.records["DXT_POSIX"]
    before = records.to_df()["counters"]
    records[0]["counters"][0] = 77
    records.append({"id": 1, "rank": 9, "counters": records[0]["counters"], "fcounters": records[0]["fcounters"]})
    frame = records.to_df()["counters"]
    assert len(frame) == len(before) + 1 and frame.iloc[0, 2] == 77 and frame["rank"].iloc[-1] == 9
    assert not numpy.may_share_memory(records.to_numpy()[0]["counters"], records[0]["counters"])
    del records[0]
    assert len(records) == len(before)
    frames = calls.to_df()
    segments = calls[0]["write_segments"]
    pandas.testing.assert_frame_equal(pandas.DataFrame(segments), frames[0]["write_segments"])
    assert len(calls.to_df()) == len(frames)


def test_reports_are_copied_pickled_and_read_on(log: str) -> None:
    report = DarshanReport(log, read_all=False)
    report.mod_read_all_records("POSIX")
    with report:
        pass
    for other in (copy.deepcopy(report), pickle.loads(pickle.dumps(report)), report):
        assert other.records is other.data["records"] and other.records["POSIX"].report is other
        other.mod_read_all_dxt_records("DXT_POSIX")
        assert len(other.records["DXT_POSIX"]) == 4
        assert json.loads(other.to_json())["metadata"]["exe"] == other.metadata["exe"]
    assert report.job.sql("select 1 as one").to_dicts() == [{"one": 1}]


def test_plots_of_pydarshan_work_on_reports_of_diya(log: str, tmp_path: Path) -> None:
    out = tmp_path / "summary.html"
    command = [sys.executable, "-m", "diya.darshan", "summary", log, "--output", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stderr
    assert "fsync_many" in out.read_text() and "<img" in out.read_text()
    code = """
import sys, diya.darshan
diya.darshan.enable_experimental()
import darshan
report = darshan.DarshanReport(sys.argv[1])
assert type(report) is diya.darshan.DarshanReport
report.summarize()
assert report.summary["agg_ioops"]["POSIX"]["POSIX_WRITES"] == 4000
assert len((report + report).records["POSIX"]) == 8
assert len(report.filter(pattern="*0003").records["POSIX"]) == 1
"""
    subprocess.run([sys.executable, "-c", code, log], check=True)


def test_a_recording_of_diya_has_the_counters_of_darshan(recorded: diya.Job) -> None:
    report = DarshanReport(recorded.logs[0])
    frame = report.records["POSIX"].to_df()["counters"]
    written = frame[[name.endswith("/data") for name in frame["id"].map(report.name_records)]]
    assert list(written["POSIX_WRITES"]) == [200]
    calls = report.records["DXT_POSIX"].to_df()
    assert sum(record["write_count"] for record in calls) >= 200
