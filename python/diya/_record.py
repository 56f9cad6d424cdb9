"""Records commands: the command line `diya run`, from Python."""

from __future__ import annotations

import codecs
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from typing import IO, TYPE_CHECKING

from ._job import Job, open
from .errors import FormatError, OpenError, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: Seconds in which a command that was interrupted may end by itself.
_GRACE_S = 10.0


def program() -> list[str]:
    """The command line: that of this package, or the one on PATH in an embedded Python."""
    if sys.executable:
        return [sys.executable, "-m", "diya"]
    found = shutil.which("diya")
    if found is None:
        raise RecordError("there is no `diya` on PATH, and this Python has no executable")
    return [found]


def record(
    command: Sequence[str | os.PathLike[str]],
    *,
    output: str | os.PathLike[str] | None = None,
    stacks: bool = False,
    profile: bool = False,
    options: Sequence[str] = (),
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    write: Callable[[str], object] | None = None,
) -> Job:
    """Runs a command, records its I/O and that of all programs it starts, and opens the log.

    output: the log, which must not exist. None: a temporary one, which goes with the job:
        `with diya.record(...) as job:`.
    stacks: record the source line of each call.
    profile: record counters only.
    options: further options of `diya run`.
    write: gets the output of the command piece by piece; None: it goes where that of this
        process goes. Standard input is empty.

    The job has the exit code of the command as `returncode`. Raises RecordError if there is
    no log. Ctrl-C ends the command, too; it runs in a process group of its own.
    """
    log, remove = _log(output)
    words = [*program(), "run", "--quiet", "--output", log]
    words += ["--stacks"] * stacks + ["--profile"] * profile
    words += [*options, "--", *(os.fspath(word) for word in command)]
    try:
        code = _run(words, cwd, env, write)
        return _opened(log, code, remove)
    except BaseException:
        remove()
        raise


@contextlib.contextmanager
def recording(output: str | os.PathLike[str], *, stacks: bool = False, profile: bool = False) -> Iterator[None]:
    """Records the programs that are started inside: by `subprocess`, `os.system`, `!command`.

    This process itself is not recorded. At the end the log is written to `output`.
    """
    words = [*program(), "env"] + ["--stacks"] * stacks + ["--profile"] * profile
    printed = subprocess.run(words, stdout=subprocess.PIPE, check=False, text=True)
    if printed.returncode != 0:
        raise RecordError("`diya env` failed; its message is on standard error")
    variables = {}
    for word in shlex.split(printed.stdout):
        name, is_set, value = word.partition("=")
        if is_set:
            variables[name] = value
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, old in before.items():
            if old is None:
                del os.environ[name]
            else:
                os.environ[name] = old
        words = [*program(), "collect", variables["DIYA_DIR"], "-o", os.fspath(output)]
        code = subprocess.run([*words, "--quiet"], check=False).returncode
        shutil.rmtree(variables["DIYA_DIR"], ignore_errors=True)
    if code != 0:
        raise RecordError("no log was written; the reason is on standard error", code)


def _log(output: str | os.PathLike[str] | None) -> tuple[str, Callable[[], object]]:
    """Where the log goes, and what removes it if it is temporary."""
    if output is not None:
        log = os.path.expanduser(os.fspath(output))
        if os.path.exists(log):
            raise RecordError(f"{log} exists already; remove it, or choose another name")
        return log, lambda: None
    folder = _Folder()
    return os.path.join(folder.name, "recording.diya"), folder.cleanup


class _Folder:
    """A temporary folder, removed when the job is closed or forgotten, by the process that made it."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="diya-")
        self._finalize = weakref.finalize(self, _remove, self.name, os.getpid())

    def cleanup(self) -> None:
        """Removes it, once."""
        self._finalize()


def _remove(folder: str, owner: int) -> None:
    # A fork that ends or forgets the job must not take the log from the other process.
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _opened(log: str, code: int, remove: Callable[[], object]) -> Job:
    try:
        job = open(log)
    except FormatError:
        raise
    except OpenError:
        text = f"nothing was recorded; the command ended with exit code {code}, see its messages"
        raise RecordError(text, code) from None
    return Job(job._native, code, remove, job._again)


def _run(
    words: list[str],
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str] | None,
    write: Callable[[str], object] | None,
) -> int:
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=None if env is None else dict(env),
        stdin=subprocess.DEVNULL,
        stdout=None if write is None else subprocess.PIPE,
        stderr=None if write is None else subprocess.STDOUT,
        # A group of its own: what ends it reaches nothing else.
        start_new_session=True,
    )
    reader = None
    if write is not None and process.stdout is not None:
        reader = threading.Thread(target=_copy, args=(process.stdout, write), daemon=True)
        reader.start()
    try:
        code = process.wait()
    except BaseException:
        _end(process)
        raise
    if reader is not None:
        # A daemon that the command left behind may keep the pipe open.
        reader.join(timeout=1.0)
    return code


def _copy(source: IO[bytes], write: Callable[[str], object]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    with source:
        while piece := os.read(source.fileno(), 1 << 16):
            write(decoder.decode(piece))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the command as Ctrl-C in a terminal does; by force if it does not end."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            process.wait(_GRACE_S)
            return
