"""How long diya and PyDarshan take for the same: a log, its frames, plots, the job summary.

    pydarshan_times.py [LOG ...]

Each time is the median of three in a process that has imported everything; the job summary is
a command, with its imports. Without logs: those of PyDarshan's tests that take longest.
"""

from __future__ import annotations

import functools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

REPEATS = 3
#: What takes time to read: many calls, many ranks, many files.
LOGS = ("partial_data_dxt", "e3sm_io_heatmap_only", "imbalanced-io", "sample-badost", "nonmpi_dxt_anonymized", "sample")

STEPS = {
    "read": lambda report, log: report(log, read_all=True),
    "read, frames": lambda report, log: frames(report(log, read_all=True)),
    "plots": lambda report, log: plots(report(log, read_all=True)),
}


def frames(report) -> None:
    """What the plots and most scripts ask for."""
    for mod, records in report.records.items():
        if mod != "APMPI" and len(records):
            records.to_df()


def plots(report) -> None:
    """The figures of the job summary that need no C library."""
    from darshan.experimental.plots import data_access_by_filesystem, plot_dxt_heatmap
    from darshan.experimental.plots.plot_access_histogram import plot_access_histogram
    from darshan.experimental.plots.plot_opcounts import plot_opcounts
    from matplotlib import pyplot

    for mod in report.modules:
        if mod in ("POSIX", "MPI-IO"):
            plot_access_histogram(report, mod)
        if mod in ("POSIX", "MPI-IO", "STDIO"):
            plot_opcounts(report, mod)
    for mod in ("DXT_POSIX", "HEATMAP"):
        if mod in report.modules:
            submodule = "POSIX" if mod == "HEATMAP" else None
            plot_dxt_heatmap.plot_heatmap(report, mod=mod, submodule=submodule, ops=["read", "write"])
    if "POSIX" in report.modules:
        data_access_by_filesystem.plot_with_report(report, num_cats=5)
    pyplot.close("all")


def median_s(step: Callable[[], object]) -> float:
    """The first one warms caches."""
    taken = []
    for _ in range(REPEATS + 1):
        begin = time.perf_counter()
        step()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken[1:])


def summary_s(words: list[str], log: str, option: str = "--output") -> float:
    """A command that writes a page."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "ignore", "-m", *words, log, option, os.path.join(folder, "page.html")]
        return median_s(lambda: subprocess.run(command, check=True, capture_output=True))


def main() -> int:
    """A line per log and step."""
    import darshan
    from darshan.log_utils import get_log_path
    from diya.darshan import DarshanReport

    darshan.enable_experimental()
    peer = darshan.DarshanReport
    for name in ("mod_agg_iohist", "agg_ioops"):
        setattr(DarshanReport, name, getattr(peer, name))
    logs = sys.argv[1:] or [get_log_path(f"{name}.darshan") for name in LOGS]
    print("| log | step | PyDarshan ms | diya ms | ratio |\n|---|---|---:|---:|---:|")
    for log in logs:
        rows = {
            name: [median_s(functools.partial(step, report, log)) for report in (peer, DarshanReport)]
            for name, step in STEPS.items()
        }
        rows["job summary"] = [summary_s([mod, "summary"], log) for mod in ("darshan", "diya.darshan")]
        rows["`diya report --html`"] = [rows["job summary"][0], summary_s(["diya", "report"], log, "--html")]
        for name, (theirs, own) in rows.items():
            print(
                f"| {os.path.basename(log)} | {name} | {theirs * 1e3:.1f} | {own * 1e3:.1f} | {own / theirs:.2f} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
