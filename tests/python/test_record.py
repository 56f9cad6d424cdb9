"""Recording from Python: commands, environments, cells of a notebook."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import diya
import pytest
from conftest import PROGRAM


def test_a_command_is_recorded(recorded: diya.Job) -> None:
    assert recorded.returncode == 0
    sql = "select count(*) as calls, sum(size_bytes) as bytes from call join file using (file_id)"
    where = "where path like '%/data' and layer = 'posix' and op = "
    assert recorded.sql(f"{sql} {where} 'write'").to_dicts() == [{"calls": 200, "bytes": 20_000}]
    assert recorded.report().verdict.text


def test_a_temporary_log_goes_with_its_job(tmp_path: Path) -> None:
    with diya.record([sys.executable, "-c", PROGRAM, str(tmp_path / "data")]) as job:
        (log,) = job.logs
        assert os.path.exists(log)
    assert not os.path.exists(os.path.dirname(log))


def test_the_exit_code_is_that_of_the_command(tmp_path: Path) -> None:
    code = PROGRAM + "sys.exit(3)"
    with diya.record([sys.executable, "-c", code, str(tmp_path / "data")]) as job:
        assert job.returncode == 3


def test_a_log_that_exists_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "old.diya").touch()
    with pytest.raises(diya.RecordError, match="exists already"):
        diya.record(["true"], output=tmp_path / "old.diya")


def test_a_command_that_cannot_start() -> None:
    with pytest.raises(diya.RecordError) as caught:
        diya.record(["/nowhere/program"], write=lambda text: None)
    assert caught.value.returncode == 127


def test_programs_started_inside_are_recorded(tmp_path: Path) -> None:
    log, before = tmp_path / "run.diya", dict(os.environ)
    with diya.recording(log):
        subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path / "data")], check=True)
    assert dict(os.environ) == before
    job = diya.open(log)
    files = job.sql("select path from file where path like '%/data'")
    assert [row["path"] for row in files] == [str(tmp_path / "data")]


def test_ctrl_c_ends_the_recorded_command_and_nothing_else(tmp_path: Path) -> None:
    code = textwrap.dedent("""
        import sys, diya
        command = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"]
        try:
            diya.record(command)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """)
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    child = int(process.stdout.readline())
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0] == "interrupted\n"
    assert time.monotonic() - begin < 15 and other.poll() is None
    other.kill()
    other.wait()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_cell_is_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell: Any = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "diya")
    file = tmp_path / "data"
    cell = f"print('from the cell')\nopen({str(file)!r}, 'wb').write(b'x' * 1000)\n"
    report = shell.run_cell_magic("diya", f"mine -o {tmp_path / 'cell.diya'}", cell)
    assert "from the cell" in capsys.readouterr().out
    assert isinstance(report, diya.Report) and file.stat().st_size == 1000
    job = shell.user_ns["mine"]
    assert job.logs == [str(tmp_path / "cell.diya")] and job.returncode == 0


def test_a_wrong_option_of_the_magic_is_an_error_of_usage() -> None:
    from IPython.core.error import UsageError
    from IPython.core.interactiveshell import InteractiveShell

    shell: Any = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "diya")
    with pytest.raises(UsageError, match="unrecognized"):
        shell.run_cell_magic("diya", "--nothing", "pass")
