"""Bad input: typed errors, partly read logs, Ctrl-C, forks."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path

import diya
import pytest

#: A query that takes longer than anybody waits: 10^18 rows.
LONG = "select sum(a.value + b.value + c.value) from " + ", ".join(
    f"generate_series(1, 1000000) as {name}(value)" for name in "abc"
)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(diya.OpenError) as caught:
        diya.open("nowhere.darshan")
    assert (caught.value.file, caught.value.offset) == ("nowhere.darshan", None)
    assert caught.value.reason.startswith("no such file")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(diya.OpenError, match="no log in this folder"):
        diya.open(tmp_path)


def test_bytes_that_are_no_log(tmp_path: Path) -> None:
    file = tmp_path / "text.darshan"
    file.write_bytes(b"no log at all\n" * 100)
    with pytest.raises(diya.FormatError, match="text.darshan") as caught:
        diya.open(file)
    assert caught.value.file == str(file)
    assert f"(at byte {caught.value.offset})" in caught.value.reason
    assert isinstance(caught.value, diya.Error)


def test_one_of_two_logs_is_no_log(log: str, tmp_path: Path) -> None:
    file = tmp_path / "empty.darshan"
    file.touch()
    with pytest.warns(diya.LogWarning, match="empty"):
        job = diya.open([log, file])
    assert len(job.reports()) == 1
    with pytest.raises(diya.SettingError, match="2 jobs"):
        job.report()


def test_an_error_can_be_sent_to_another_process() -> None:
    with pytest.raises(diya.OpenError) as caught:
        diya.open("nowhere.darshan")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.file) == (str(caught.value), "nowhere.darshan")


def test_damaged_logs_are_read_in_part_or_refused(log: str, tmp_path: Path) -> None:
    whole = Path(log).read_bytes()
    chance = random.Random(18)
    file = tmp_path / "damaged.darshan"
    for _ in range(30):
        damaged = bytearray(whole)
        kind = chance.randrange(3)
        place = chance.randrange(len(whole))
        if kind == 0:
            del damaged[place:]
        elif kind == 1:
            damaged[place] ^= 1 << chance.randrange(8)
        else:
            damaged[place : place + 64] = bytes(64)
        file.write_bytes(damaged)
        begin = time.monotonic()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", diya.LogWarning)
                job = diya.open(file)
            assert len(job.table("call").to_dicts(10)) <= 10
            assert len(job.issues()) > 0 or kind == 1
        except diya.FormatError as error:
            assert error.file == str(file) and error.reason
        assert time.monotonic() - begin < 2


def test_ctrl_c_ends_a_query_and_the_job_goes_on(log: str) -> None:
    job = diya.open(log)
    job.sql("select 1")
    begin = time.monotonic()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            job.sql(LONG)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert time.monotonic() - begin < 2
    assert job.sql("select 1 as one").to_dicts() == [{"one": 1}]
    assert time.monotonic() - begin < 4


def test_ctrl_c_ends_a_program_that_waits_for_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code = textwrap.dedent("""
        import sys, diya
        diya.__version__
        print("begin", flush=True)
        try:
            diya.open(sys.argv[1])
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """)
    process = subprocess.Popen([sys.executable, "-c", code, str(pipe)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "begin\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=5)[0] == "interrupted\n"
    assert process.returncode == 0


def test_a_fork_opens_the_logs_again(job: diya.Job) -> None:
    calls = job.sql("select count(*) as calls from call").to_dicts()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        same = job.sql("select count(*) as calls from call").to_dicts() == calls
        os._exit(7 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_fork_leaves_the_log_of_a_recording(tmp_path: Path) -> None:
    with diya.record([sys.executable, "-c", "open('/dev/null')"], cwd=tmp_path) as run:
        child = os.fork()
        if child == 0:
            run.close()
            os._exit(0)
        os.waitpid(child, 0)
        assert os.path.exists(run.logs[0])
    assert not os.path.exists(run.logs[0])


def test_jobs_in_other_processes_in_threads_and_at_exit() -> None:
    script = Path(__file__).with_name("processes.py")
    logs = sorted((Path(__file__).parents[2] / "corpus" / "logs").glob("*.darshan"))[:4]
    done = subprocess.run([sys.executable, script, *logs], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
