"""Proof that diya reads what is in a Darshan log: compared with PyDarshan and the bytes.

    python tests/peers/pydarshan_equal.py --diya target/debug/diya [LOG ...]

Every counter, DXT segment, heat-map bin, name, mount and job field of every
log is compared bit for bit with PyDarshan 3.5.0 and with a small independent
decoder of the bytes. A difference from PyDarshan is accepted when it is of a
known kind (``known_differences.py``); a difference from the bytes never is.

Without logs as arguments: ``corpus/logs``, crafted logs of variants that are
rare (``crafted_logs.py``), and the shared logs (``DIYA_SHARED``, or
``../shared``) when they are there. The exit code is 1 after any failure.
"""

from __future__ import annotations

import argparse
import gzip
import multiprocessing
import os
import pickle
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from compare import Comparison, Difference, Table, compare_tables
from contract import REPOSITORY
from crafted_logs import write_all
from derived_tables import derived_tables
from diya_tables import Cells, DiyaFailed, export_log
from job_bytes import all_tables
from known_differences import KINDS, kind_of
from legacy_bytes import UnknownLegacy, legacy_tables
from log_bytes import LogBytes, NotDarshan3, read_log_bytes
from pydarshan_tables import write_tables

PYDARSHAN_LIMIT_S = 120
# A log takes less time than importing PyDarshan does: one process imports it, and forks.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["darshan.backend.cffi_backend"])


@dataclass
class Outcome:
    """Result for one log; ``known`` counts cells and rows per kind."""

    line: str
    is_passed: bool
    known: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def default_logs() -> list[Path]:
    """Logs of the corpus, and the shared ones when they are there.

    Not those that were damaged on purpose: what two readers make of bytes that
    mean nothing is no comparison, and the reader's own tests hold them.
    """
    shared = Path(os.environ.get("DIYA_SHARED", REPOSITORY.parent / "shared")) / "logs"
    folders = [REPOSITORY / "corpus" / "logs", shared / "generated", shared / "public"]
    return [log for folder in folders for log in sorted(folder.rglob("*.darshan*"))]


def pydarshan_tables(log: Path, folder: Path) -> tuple[dict[str, Table] | None, str]:
    """Tables as PyDarshan reads them, or ``None`` and its words.

    A process of its own: see ``pydarshan_tables``.
    """
    if log.suffix == ".gz":
        unpacked = folder / log.stem
        unpacked.write_bytes(gzip.decompress(log.read_bytes()))
        log = unpacked
    out, printed = folder / "pydarshan.pickle", folder / "pydarshan.txt"
    process = PROCESSES.Process(target=write_tables, args=(str(log), str(out), str(printed)))
    process.start()
    process.join(PYDARSHAN_LIMIT_S)
    if process.is_alive():
        process.kill()
        process.join()
        return None, f"no end after {PYDARSHAN_LIMIT_S} s"
    if process.exitcode < 0:
        return None, f"crashed with signal {-process.exitcode}"
    if process.exitcode > 0:
        lines = printed.read_text(errors="replace").splitlines()
        words = [line for line in lines if line.startswith("Error")]
        return None, " ".join(words[:2]) or lines[-1]
    with out.open("rb") as file:
        return pickle.load(file), ""


def compare_log(diya: Path, log: Path) -> Outcome:
    """Read one log three times and compare."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        try:
            shown = export_log(diya, log, folder)
        except (DiyaFailed, subprocess.TimeoutExpired) as error:
            return Outcome("diya failed", False, failures=[str(error)])
        peer, words = pydarshan_tables(log, folder)
        try:
            bytes_of_log = read_log_bytes(log)
        except NotDarshan3:
            return compare_legacy(log, shown, words)
        recorded = all_tables(bytes_of_log)
        recorded |= {n: t for n, t in derived_tables(recorded).items() if t}
        from_bytes = compare_tables(recorded, shown, is_complete=True)
        outcome = Outcome("", True)
        outcome.failures += [f"bytes: {d}" for d in from_bytes.differences]
        outcome.failures += wrong_issues(recorded["module"], shown.get("read_issue", {}))
        from_peer = Comparison()
        if peer is not None:
            from_peer = compare_tables(peer, shown, is_complete=False)
            sort_known(bytes_of_log, recorded, from_peer.differences, outcome)
        outcome.is_passed = not outcome.failures
        outcome.line = verdict(words, from_peer, from_bytes, outcome)
        return outcome


def wrong_issues(modules: Table, issues: dict[str, Cells]) -> list[str]:
    """Issues that a whole log must not have, and those that it must.

    No log of the corpus or the shared folder is cut: every stream ends as it
    should, or the decoder of the bytes had failed.
    """
    kinds = issues["kind"].values.tolist() if issues else []
    places = issues["module"].values.tolist() if issues else []
    found = list(zip(kinds, places, strict=True))
    wrong = [f"issue {kind} of {place}: it is whole" for kind, place in found if kind == "truncated"]
    lost = [m for m, read in zip(modules["module"], modules["is_decoded"], strict=True) if not read]
    wrong += [f"no issue for {m}, which is in no table" for m in lost if m not in places]
    return wrong


def compare_legacy(log: Path, shown: dict[str, dict[str, Cells]], words: str) -> Outcome:
    """Compare a 1.x or 2.x log with its bytes, as far as they are understood here."""
    try:
        recorded = legacy_tables(log)
    except UnknownLegacy as error:
        return Outcome(f"refused by PyDarshan ({words}); not compared: {error}", True)
    found = compare_tables(recorded, shown, is_complete=False)
    outcome = Outcome("", not found.differences, failures=[f"bytes: {d}" for d in found.differences])
    outcome.line = verdict(words, Comparison(), found, outcome)
    return outcome


def sort_known(log: LogBytes, recorded: dict[str, Table], differences: list[Difference], outcome: Outcome) -> None:
    """Put each difference from PyDarshan under its kind, or under the failures."""
    for difference in differences:
        kind = kind_of(log, recorded, difference)
        if kind is None:
            outcome.failures.append(f"PyDarshan: {difference}")
        else:
            outcome.known[kind.name] = outcome.known.get(kind.name, 0) + difference.count


def verdict(words: str, peer: Comparison, from_bytes: Comparison, outcome: Outcome) -> str:
    """The line of a log."""
    if words:
        text = f"refused by PyDarshan ({words})"
    elif outcome.known:
        text = f"{sum(outcome.known.values()):,} known differences"
    else:
        text = "equal"
    counted = f"{peer.cells:,} cells with PyDarshan, {from_bytes.cells:,} with the bytes"
    failed = f"; {len(outcome.failures)} FAILED" if outcome.failures else ""
    return f"{text}; {counted}{failed}"


def print_kinds(outcomes: list[Outcome]) -> None:
    """The table of known differences."""
    logs: dict[str, int] = defaultdict(int)
    counts: dict[str, int] = defaultdict(int)
    for outcome in outcomes:
        for name, count in outcome.known.items():
            logs[name] += 1
            counts[name] += count
    print("\n| known difference from PyDarshan | logs | values or rows | why diya is right |")
    print("|---|---:|---:|---|")
    for kind in KINDS:
        if logs[kind.name]:
            shown = f"{logs[kind.name]} | {counts[kind.name]:,} | {kind.justification}"
            print(f"| {kind.name} | {shown} |")


def main() -> int:
    """Compare all logs and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="*", type=Path, help="default: the corpus and shared logs")
    parser.add_argument("--diya", type=Path, default=Path("target/debug/diya"))
    arguments = parser.parse_args()
    outcomes = []
    crafted = tempfile.TemporaryDirectory(prefix="crafted-")
    for log in arguments.logs or [*default_logs(), *write_all(Path(crafted.name))]:
        outcome = compare_log(arguments.diya.resolve(), log.resolve())
        outcomes.append(outcome)
        mark = "ok  " if outcome.is_passed else "FAIL"
        print(f"{mark} {log.parent.name}/{log.name}: {outcome.line}", flush=True)
        for failure in outcome.failures[:20]:
            print(f"       {failure}")
    crafted.cleanup()
    print_kinds(outcomes)
    passed = sum(o.is_passed for o in outcomes)
    print(f"\n{passed} passed, {len(outcomes) - passed} failed")
    return 0 if outcomes and passed == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
