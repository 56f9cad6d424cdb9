"""Proof that a Darshan log that diya writes holds what diya read: compared with PyDarshan.

    python tests/peers/convert_equal.py --diya target/debug/diya [LOG ...]

Every log is converted with ``diya convert``. What PyDarshan 3.5.0 and a small
independent decoder of the bytes read in the new log must be what diya reads in
the old one, bit for bit: every counter, segment, heat-map bin, name, mount and
job field. A difference is accepted when it is of a documented kind
(``convert_losses.py``, ``docs/formats/darshan-writing.md``), or when PyDarshan
is known to read such a log wrongly (``known_differences.py``).

Without logs as arguments: those of ``pydarshan_equal.py``. The exit code is 1
after any failure.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from compare import Difference, Table, compare_tables
from convert_losses import (
    LOSSES,
    MOUNT,
    compared,
    format_of,
    is_sorted,
    is_thread,
    is_trace,
    loss_of,
    segments,
)
from crafted_logs import write_all
from derived_tables import derived_tables
from diya_tables import Cells, DiyaFailed, export_log
from job_bytes import all_tables
from known_differences import kind_of
from log_bytes import read_log_bytes
from pydarshan_equal import Outcome, default_logs, pydarshan_tables

CONVERT_LIMIT_S = 300


def convert(diya: Path, log: Path, new: Path, *options: str) -> None:
    """Run ``diya convert``.

    Raises
    ------
    DiyaFailed
        With the words of diya.
    """
    command = [diya, "convert", log, "-o", new, "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=CONVERT_LIMIT_S, check=False)
    if done.returncode != 0 or not new.exists():
        raise DiyaFailed(f"exit code {done.returncode}: {done.stderr.strip()[-400:]}")


def compare_log(diya: Path, log: Path) -> Outcome:
    """Convert one log and compare the new one with what diya reads in the old one."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        new = folder / "new.darshan"
        try:
            shown = export_log(diya, log, folder)
        except DiyaFailed as error:
            return Outcome(f"not read by diya: {error}", True)
        try:
            convert(diya, log, new)
        except (DiyaFailed, subprocess.TimeoutExpired) as error:
            return Outcome("diya failed", False, failures=[str(error)])
        everything, shown = shown, compared(shown, shown)
        if "call" in shown:
            shown["call"] = segments(shown["call"])
        peer, words = pydarshan_tables(new, folder)
        if peer is None:
            return Outcome("refused by PyDarshan", False, failures=[words])
        bytes_of_new = read_log_bytes(new)
        recorded = tables_of(new)
        outcome = Outcome("", True)
        from_peer = compare_tables(compared(peer, everything), shown, is_complete=False)
        for difference in from_peer.differences:
            kind = kind_of(bytes_of_new, recorded, difference)
            name = kind.name if kind else loss_of(difference, format_of(everything))
            sort("PyDarshan", name, difference, outcome)
        from_bytes = compare_tables(compared(recorded, everything), shown, is_complete=True)
        for difference in from_bytes.differences:
            if is_sorted(difference) and is_trace(everything):
                continue
            sort("bytes", loss_of(difference, format_of(everything)), difference, outcome)
        if any(is_thread(difference) for difference in from_bytes.differences):
            outcome.failures += lost_threads(diya, log, folder / "threads.darshan", shown)
        outcome.failures += lost_tables(peer, shown)
        outcome.is_passed = not outcome.failures
        counted = f"{from_peer.cells:,} cells with PyDarshan, {from_bytes.cells:,} with the bytes"
        kinds = f"; {', '.join(sorted(outcome.known))}" if outcome.known else ""
        outcome.line = f"{counted}{kinds}"
        return outcome


def tables_of(log: Path) -> dict[str, Table]:
    """All tables as the bytes of a log give them."""
    recorded = all_tables(read_log_bytes(log))
    return recorded | {n: t for n, t in derived_tables(recorded).items() if t}


def lost_threads(diya: Path, log: Path, new: Path, shown: dict[str, dict[str, Cells]]) -> list[str]:
    """What calls lack although thread ids were asked for."""
    convert(diya, log, new, "--keep-threads")
    found = compare_tables({"call": tables_of(new)["call"]}, shown, is_complete=False)
    log_format = format_of(shown)
    return [f"with threads: {d}" for d in found.differences if loss_of(d, log_format) is None]


def sort(peer: str, kind: str | None, difference: Difference, outcome: Outcome) -> None:
    """Put a difference under its kind, or under the failures."""
    if kind is None:
        outcome.failures.append(f"{peer}: {difference}")
    else:
        outcome.known[kind] = outcome.known.get(kind, 0) + difference.count


#: Tables that PyDarshan has a reader for, so that a missing one is a loss.
READ_BY_PYDARSHAN = {
    "posix",
    "mpiio",
    "stdio",
    "hdf5_file",
    "hdf5_dataset",
    "pnetcdf_file",
    "pnetcdf_var",
    "call",
    "heatmap",
    "lustre_component",
    "lustre_target",
    "mount",
    "file",
    "dfs",
    "daos",
}


def lost_tables(peer: dict[str, Table], shown: dict[str, dict[str, Cells]]) -> list[str]:
    """Tables with rows in the old log that PyDarshan does not find in the new one."""
    names = shown.keys() & READ_BY_PYDARSHAN - peer.keys()
    # A trace may hold calls of which none is a segment.
    with_rows = [name for name in names if len(next(iter(shown[name].values())).values)]
    return [f"no {name} in the new log" for name in with_rows]


def main() -> int:
    """Convert and compare all logs and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="*", type=Path, help="default: the corpus and shared logs")
    parser.add_argument("--diya", type=Path, default=Path("target/debug/diya"))
    arguments = parser.parse_args()
    failed, logs = 0, 0
    values: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="crafted-") as crafted:
        for log in arguments.logs or [*default_logs(), *write_all(Path(crafted))]:
            outcome = compare_log(arguments.diya.resolve(), log.resolve())
            logs += 1
            failed += not outcome.is_passed
            values.update(outcome.known)
            mark = "ok  " if outcome.is_passed else "FAIL"
            print(f"{mark} {log.parent.name}/{log.name}: {outcome.line}", flush=True)
            for failure in outcome.failures[:20]:
                print(f"       {failure}")
    print("\n| documented difference | values or rows | why |\n|---|---:|---|")
    for loss in (*LOSSES, MOUNT):
        if values[loss.name]:
            print(f"| {loss.name} | {values[loss.name]:,} | {loss.reason} |")
    print(f"\n{logs - failed} passed, {failed} failed")
    return 0 if logs and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
