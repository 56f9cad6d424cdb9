"""Asynchronous requests: libaio and io_uring, through libraries and by system calls."""

from __future__ import annotations

import shutil
import struct
import subprocess

from harness import HERE, Bench, equal

WRITES = [("write", 4096 * at, 4096, 4096) for at in range(8)]
READS = [("read", 4096 * at, 2048, 2048) for at in range(4)]
LOST_AT = 136  # of the header: calls dropped, by reason


def run(bench: Bench, mode: str) -> list:
    """The calls of a program in that mode; a second run asserts that nothing changed for it."""
    program = bench.directory / "asynchronous"
    command = ["cc", "-w", "-D_GNU_SOURCE", "-o", program, HERE / "asynchronous.c", "-laio", "-luring"]
    subprocess.run(command, check=True)
    done = subprocess.run([program, mode, bench.file], env=bench.environment(), capture_output=True, timeout=60)
    equal((done.returncode, done.stderr), (0, b""), "exit code and errors")
    return bench.read()[0].calls


def transfers(calls: list, function: str, path: str) -> list[tuple[str, int, int, int]]:
    found = [c for c in calls if c.function in (f"{function}_read", f"{function}_write") and c.path == path]
    if not all(0 < c.aux < 30_000_000_000 and c.duration == 0 for c in found):
        raise AssertionError(f"times since the submission: {[c.aux for c in found]}")
    return sorted((c.op, c.offset, c.requested, c.done) for c in found)


def libaio(bench: Bench, mode: str) -> None:
    calls = run(bench, mode)
    equal(transfers(calls, "io_submit", str(bench.file)), sorted(READS + WRITES), "requests")
    submits = [(c.op, c.done, c.aux) for c in calls if c.function == "io_submit"]
    equal(submits, [("submit", 0, 12), ("submit", -14, None), ("submit", -14, None)], "submissions")
    waits = [(c.op, c.aux, c.path) for c in calls if c.function == "io_getevents"]
    equal(waits, [("wait", 12, str(bench.file))], "waits")


def requests_of_libaio_are_recorded(bench: Bench) -> None:
    libaio(bench, "aio")


def requests_of_linux_aio_by_system_calls_are_recorded(bench: Bench) -> None:
    libaio(bench, "raw_aio")


def failed(calls: list) -> list[tuple[str, int]]:
    return [(c.op, c.done) for c in calls if c.function == "io_uring_read" and c.done < 0]


def requests_of_liburing_are_recorded(bench: Bench) -> None:
    calls = run(bench, "ring")
    equal(transfers(calls, "io_uring", str(bench.file)), sorted(READS + WRITES), "requests")
    equal(failed(calls), [("read", -9)], "failed requests")
    syncs = [c.path for c in calls if c.function == "io_uring_datasync"]
    equal(syncs, [str(bench.file)], "syncs")


def requests_of_a_raw_ring_are_recorded(bench: Bench) -> None:
    calls = run(bench, "raw_ring")
    equal(transfers(calls, "io_uring", str(bench.file)), sorted(READS + WRITES), "requests")
    equal(failed(calls), [("read", -9)], "failed requests")
    equal([(c.op, c.aux) for c in calls if c.function == "io_uring_enter"], [("submit", 13)], "calls")


def requests_that_were_submitted_unseen_are_counted(bench: Bench) -> None:
    for mode in ("hidden_ring", "open_ring"):
        shutil.rmtree(bench.segments, ignore_errors=True)
        calls = run(bench, mode)
        equal(transfers(calls, "io_uring", str(bench.file)), [], "requests")
        data = next(bench.segments.glob("*.seg")).read_bytes()
        equal(struct.unpack_from("<8Q", data, LOST_AT)[6], 13, "requests that the kernel took unseen")


def garbage_in_a_ring_fails_as_without_the_recorder(bench: Bench) -> None:
    calls = run(bench, "garbage")
    found = [(c.op, c.done) for c in calls if c.function.startswith("io_uring_") and c.op in ("open", "read", "stat")]
    equal(sorted(found), [("open", 0), ("read", -14), ("stat", -14)], "requests")
    opened = [(c.function, c.path) for c in calls if c.path == "/proc/self/maps" and c.op != "submit"]
    equal(
        opened,
        [("io_uring_open", "/proc/self/maps"), ("read", "/proc/self/maps"), ("io_uring_close", "/proc/self/maps")],
        "file",
    )


def requests_of_posix_aio_are_recorded(bench: Bench) -> None:
    calls = run(bench, "posix")
    equal(transfers(calls, "aio_return", str(bench.file)), sorted(READS + WRITES), "requests")
    equal([(c.op, c.done) for c in calls if c.function == "aio_return_read" and c.done < 0], [("read", -9)], "failed")
    submits = [c.op for c in calls if c.function in ("aio_read", "aio_fsync", "lio_listio_write")]
    equal(submits, ["submit"] * (8 + 5 + 1), "submissions")
    equal([c.path for c in calls if c.function == "aio_return_sync"], [str(bench.file)], "syncs")
