"""Jobs and reports in other processes, in threads and at the end of one; needs NumPy.

    processes.py LOG LOG ...

Prints a line per way of starting a process; the exit code is 1 after a failure. Every case has a
limit of time: a hang is a failure, too. `scripts/pydarshan-processes.sh` runs it in several
versions of CPython.
"""

from __future__ import annotations

import concurrent.futures
import functools
import gc
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import warnings
from typing import Any, Callable

import diya
from diya.darshan import DarshanReport

LIMIT_S = 60
CALLS = "select count(*) as calls from call"
#: A query that takes minutes.
LONG = "select sum(a.value + b.value + c.value) from " + ", ".join(
    f"generate_series(1, 1000000) as {name}(value)" for name in "abc"
)


def count(job: diya.Job) -> int:
    calls: int = job.sql(CALLS).to_dicts()[0]["calls"]
    return calls


def opens(log: str) -> int:
    return count(diya.open(log))


def uses_job(job: diya.Job) -> int:
    found = count(job)
    assert len(job.report().to_dict()["findings"]) >= 0
    return found


def uses_report(report: DarshanReport) -> int:
    report.mod_read_all_records("POSIX")
    return len(report.records["POSIX"].to_numpy())


def forgets(logs: list[str]) -> int:
    """What the other process held in cycles is collected here; then the same is done here."""
    for _ in range(3):
        cycles(logs)
        gc.collect()
    return 1


def cycles(logs: list[str]) -> None:
    for log in logs:
        job = diya.open(log)
        count(job)
        job.itself = job  # type: ignore[attr-defined]
        report = DarshanReport(log)
        assert report.job.logs


def does_not_grow(log: str) -> int:
    """Jobs that are dropped leave no memory, threads or descriptors behind."""
    opens(log)
    for _ in range(5):
        opens(log)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, threads(), descriptors()
    for _ in range(20):
        opens(log)
        DarshanReport(log)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, threads(), descriptors()
    assert after[0] - before[0] < 64 << 10, f"{before} -> {after}"
    # The last ones may still be ending.
    assert after[1] <= before[1] + 4 and after[2] <= before[2] + 4, f"{before} -> {after}"
    return 1


def threads() -> int:
    return len(os.listdir("/proc/self/task"))


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


class Loader:
    """A data set with a job, as a data loader hands it to its workers."""

    def __init__(self, logs: list[str]) -> None:
        self.jobs = [diya.open(log) for log in logs]
        self.reports = [DarshanReport(log, read_all=False) for log in logs]

    def __getitem__(self, place: int) -> int:
        return count(self.jobs[place]) + uses_report(self.reports[place])


def works(loader: Loader, places: Any, results: Any) -> None:
    while (place := places.get()) is not None:
        results.put(loader[place])


def started(context: Any, work: Callable[..., Any], *arguments: Any) -> None:
    """Runs work in a process, which must end well, and by itself."""
    process = context.Process(target=work, args=arguments)
    process.start()
    process.join(LIMIT_S)
    if process.is_alive():
        process.kill()
        raise AssertionError("no end")
    assert process.exitcode == 0, f"exit code {process.exitcode}"


def cases(method: str, logs: list[str]) -> dict[str, Callable[[], Any]]:
    context: Any = multiprocessing.get_context(method)
    job, report = diya.open(logs[0]), DarshanReport(logs[0])
    used = count(job), report.job.logs
    assert used

    def pool() -> None:
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
            assert list(executor.map(opens, logs, timeout=LIMIT_S)) == [opens(log) for log in logs]
            reports = list(executor.map(DarshanReport, logs, timeout=LIMIT_S))
        for log, read in zip(logs, reports):
            own, through = DarshanReport(log), read
            assert own.metadata == through.metadata and own.name_records == through.name_records
            assert all(len(own.records[mod]) == len(found) for mod, found in through.records.items())

    def loader() -> None:
        data, places, results = Loader(logs), context.Queue(), context.Queue()
        workers = [context.Process(target=works, args=(data, places, results)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for place in range(len(logs)):
            places.put(place)
        found = sorted(results.get(timeout=LIMIT_S) for _ in logs)
        for _ in workers:
            places.put(None)
        for worker in workers:
            worker.join(LIMIT_S)
            assert worker.exitcode == 0, f"exit code {worker.exitcode}"
        assert found == sorted(data[place] for place in range(len(logs)))

    def dropped() -> None:
        cycles(logs)
        started(context, forgets, logs)

    def threaded() -> None:
        with concurrent.futures.ThreadPoolExecutor(4) as executor:
            assert len(set(executor.map(count, [job] * 8, timeout=LIMIT_S))) == 1
            assert list(executor.map(opens, logs * 3, timeout=LIMIT_S)) == [opens(log) for log in logs] * 3
            started(context, opens, logs[0])

    def beside_work() -> None:
        stop = threading.Event()

        def busy() -> None:
            while not stop.is_set():
                opens(logs[0])
                DarshanReport(logs[-1])

        busies = [threading.Thread(target=busy) for _ in range(2)]
        for thread in busies:
            thread.start()
        try:
            for _ in range(6):
                started(context, forgets, logs[:1])
        finally:
            stop.set()
            for thread in busies:
                thread.join()

    return {
        "opened": lambda: started(context, opens, logs[0]),
        "shared": lambda: started(context, uses_job, job),
        "report": lambda: started(context, uses_report, report),
        "dropped": dropped,
        "pool": pool,
        "loader": loader,
        "threads": threaded,
        "beside work": beside_work,
        "no growth": lambda: started(context, does_not_grow, logs[0]),
    }


#: Programs that end while they hold something.
ENDS = {
    "held": "job = diya.open(log); job.sql('select 1'); report = DarshanReport(log); report.job.sql('select 1')",
    "in a cycle": "job = diya.open(log); job.sql('select 1'); job.itself = job; gc.disable()",
    "half read": "rows = iter(diya.open(log).table('call')); next(rows)",
    "in a thread": "job = diya.open(log)\n"
    "threading.Thread(target=job.sql, args=(long,), daemon=True).start()\ntime.sleep(1)",
    "a fork that exits": "job = diya.open(log); job.sql('select 1'); pid = os.fork()\n"
    "if pid == 0: sys.exit(0)\nassert os.waitpid(pid, 0)[1] == 0",
}


def at_exit(program: str, log: str) -> None:
    begin = (
        "import gc, os, sys, threading, time, diya\nfrom diya.darshan import DarshanReport\nlog, long = sys.argv[1:]\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", begin + program, log, LONG]
    done = subprocess.run(command, timeout=LIMIT_S, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, f"exit code {done.returncode}: {done.stderr[-300:]}"


def passes(name: str, case: Callable[[], Any]) -> str | None:
    """None, or what went wrong."""

    def late(*_: object) -> None:
        raise AssertionError("no end")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(3 * LIMIT_S)
    try:
        case()
    except Exception as error:
        return f"{name}: {error!r}"
    finally:
        signal.alarm(0)
    return None


def main() -> int:
    logs = sys.argv[1:]
    # An interpreter that a script starts with its own C library does not know how to start itself.
    sys.executable = os.environ.get("DIYA_PYTHON", sys.executable)
    multiprocessing.set_executable(sys.executable)
    # Python warns of threads in a process that forks; that it goes well is what is tested.
    warnings.simplefilter("ignore", DeprecationWarning)
    assert count(pickle.loads(pickle.dumps(diya.open(logs[0])))) == opens(logs[0])
    version, failures = ".".join(map(str, sys.version_info[:3])), 0
    groups = {method: cases(method, logs) for method in ("fork", "spawn", "forkserver")}
    groups["at exit"] = {name: functools.partial(at_exit, text, logs[0]) for name, text in ENDS.items()}
    for group, members in groups.items():
        wrong = [text for name, case in members.items() if (text := passes(name, case))]
        failures += len(wrong)
        print(
            f"CPython {version} {group}: {len(members) - len(wrong)} of {len(members)} {'; '.join(wrong)}", flush=True
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
