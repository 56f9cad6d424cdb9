"""`diya.darshan.DarshanReport` beside PyDarshan's class of the same name."""

from __future__ import annotations

import json
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
    with pytest.raises(ModuleNotInDarshanLog):
        report.mod_records("H5F")
    with pytest.raises(diya.SettingError):
        DarshanReport(log, dtype="pandas")


def test_a_recording_of_diya_has_the_counters_of_darshan(recorded: diya.Job) -> None:
    report = DarshanReport(recorded.logs[0])
    frame = report.records["POSIX"].to_df()["counters"]
    written = frame[[name.endswith("/data") for name in frame["id"].map(report.name_records)]]
    assert list(written["POSIX_WRITES"]) == [200]
    calls = report.records["DXT_POSIX"].to_df()
    assert sum(record["write_count"] for record in calls) >= 200
