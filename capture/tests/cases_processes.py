"""Children, threads, signals: what the segments hold."""

from __future__ import annotations

import shutil

from harness import Bench, equal

# --- processes -------------------------------------------------------------------


def child_process(bench: Bench, mode: str, writes_per_segment: list[int], states: list[int]) -> None:
    done = bench.run("processes", mode, str(bench.file))
    equal(done.returncode, 7, "exit code")
    read = bench.read()
    counts = sorted(sum(c.function == "write" for c in s.calls) for s in read)
    equal(counts, writes_per_segment, "writes per segment")
    equal(sorted(s.header["state"] for s in read), states, "states")
    offsets = sorted(c.offset for c in bench.writes())
    equal(offsets, [8 * i for i in range(len(offsets))], "offsets of appending writes")
    equal(8 * len(offsets), bench.file.stat().st_size, "bytes")


def fork_gives_the_child_a_segment(bench: Bench) -> None:
    child_process(bench, "fork", [3, 6], [2, 2])
    parent = next(s for s in bench.read() if sum(c.function == "write" for c in s.calls) == 6)
    child = next(s for s in bench.read() if s is not parent and s.path != parent.path)
    equal(child.header["ppid"], parent.header["pid"], "parent")
    equal(parent.header["exit_code"], 7, "exit code of the parent")
    equal([c.op for c in parent.calls if c.function == "fork"], ["spawn"], "fork")


def raw_clone_gives_the_child_a_segment(bench: Bench) -> None:
    child_process(bench, "clone", [3, 6], [2, 2])


def vfork_and_exec_leave_the_parent_alone(bench: Bench) -> None:
    child_process(bench, "vfork", [2, 6], [2, 2])


def posix_spawn_leaves_the_parent_alone(bench: Bench) -> None:
    child_process(bench, "spawn", [2, 6], [2, 2])


def exec_ends_a_segment_and_begins_another(bench: Bench) -> None:
    done = bench.run("processes", "exec", str(bench.file))
    equal(done.returncode, 0, "exit code of the new program")
    equal(sorted(s.header["state"] for s in bench.read()), [2, 3], "states")
    equal(len({s.header["pid"] for s in bench.read()}), 1, "processes")


def a_failed_exec_is_a_failed_call(bench: Bench) -> None:
    child_process(bench, "exec_fails", [6], [2])
    failed = [c for c in bench.read()[0].calls if c.function == "exec"]
    equal([(c.path, c.done) for c in failed], [("/nonexistent/program", -2)], "exec")


# --- threads, signals -----------------------------------------------------------------


def writes_of_ending_threads_are_recorded(bench: Bench) -> None:
    equal(bench.run("threads", "destructors", str(bench.file)).returncode, 0, "exit code")
    late = bench.read()[0].header["dropped"]["late"]
    equal(len(bench.writes()) + late, 1 + 4 * 2, "writes recorded or counted as late")
    equal(late, 0, "late")


def many_short_threads_share_windows(bench: Bench) -> None:
    equal(bench.run("threads", "many", str(bench.file)).returncode, 0, "exit code")
    equal(len(bench.writes()), 1 + 200 * 50, "writes")
    equal(len({c.tid for c in bench.writes()}), 201, "threads")
    if bench.read()[0].path.stat().st_size > 4 << 20:
        raise AssertionError("a segment of more than 4 MiB for 200 threads of 50 calls")


def a_handler_may_interrupt_the_recorder(bench: Bench) -> None:
    done = bench.run("signals", "interrupt", str(bench.file))
    equal(done.returncode, 0, "exit code")
    read = bench.read()[0]
    equal(len(bench.writes()) + read.header["dropped"]["signal"], int(done.stdout), "writes recorded or dropped")
    equal(bench.file.stat().st_size, 8 * int(done.stdout), "bytes")


def longjmp_out_of_a_call_does_not_nest_the_rest(bench: Bench) -> None:
    equal(bench.run("signals", "jump", str(bench.file)).returncode, 0, "exit code")
    equal([c.depth for c in bench.writes()], [0], "depth")


def threads_and_forks_at_once(bench: Bench) -> None:
    for settings in ({}, {"DIYA_STACKS": "1"}, {"DIYA_MODE": "profile"}):
        shutil.rmtree(bench.segments, ignore_errors=True)
        done = bench.run("stress", str(bench.directory), env=bench.environment(**settings))
        equal(done.returncode, 0, f"exit code with {settings}")
        read = bench.read()
        equal(len(read), 1 + 8 * 4, "segments")
        recorded = sum(c.function == "write" for s in read for c in s.calls)
        counted = sum(block["calls"][4] for s in read for block in s.counters if block["layer"] == 1)
        equal(recorded + counted, int(done.stdout), "writes")
        tiny = sum(c.calls for s in read for c in s.calls if c.function == "fputc")
        tiny += sum(
            block["calls"][4]
            for s in read
            for block in s.counters
            if block["layer"] == 2 and "/file." in s.name(block["file"])
        )
        equal(tiny, 8 * 400 * 300, "tiny calls")
