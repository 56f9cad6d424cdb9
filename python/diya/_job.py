"""Logs, and the questions to them."""

from __future__ import annotations

import difflib
import functools
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _diya
from ._paths import Paths, listed
from ._report import Report
from ._rows import Rows
from .errors import LogWarning, SettingError, UnknownNameError

if TYPE_CHECKING:
    from types import TracebackType

    from ._page import Page


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    #: bool, i32, i64, u64, f64, str or timestamp_ns.
    type: str
    #: Unit of its values; 1 for a ratio.
    unit: str
    #: What it holds.
    doc: str
    #: What null means; None: it is never null.
    null: str | None


@dataclass(frozen=True)
class Table:
    """What a table or a metric is."""

    name: str
    #: What it holds.
    doc: str
    columns: tuple[Column, ...]
    #: Rows in the logs of a job; None: the definition alone.
    rows: int | None = None

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.doc}", ""]
        width = max(len(column.name) for column in self.columns)
        lines += [f"{c.name:<{width}}  {c.type:<12}  {c.unit:<8}  {c.doc}" for c in self.columns]
        return "\n".join(lines)


def _definitions(is_metric: bool) -> list[Table]:
    return [
        Table(name, doc, tuple(Column(*column) for column in columns))
        for name, doc, columns in _diya.definitions(is_metric)
    ]


def tables() -> list[Table]:
    """Every table that diya reads from logs."""
    return _definitions(False)


def metrics() -> list[Table]:
    """Every metric that diya computes from tables."""
    return _definitions(True)


def open(
    paths: Paths,
    *,
    ranks: tuple[int, int] | None = None,
    names: Sequence[str] = (),
    regions: Sequence[str] = (),
    steps: tuple[int, int] | None = None,
    together: bool | None = None,
    system_files: bool = False,
    as_recorded: bool = False,
    threads: int = 0,
) -> Job:
    """Opens logs, or archives of logs.

    paths: one log or several; `-` is standard input.
    ranks: only these, first and last.
    names: only files whose path contains one of these texts.
    regions: only calls in regions with these names, and what can be counted from them.
    steps: only calls in these steps of the program, first and last.
    together: True: all logs are one job. False: each is a job. None: logs of one process each
        with the same job id, user and program are one job.
    system_files: also files without data of the program: /proc, pipes, sockets.
    as_recorded: also records with impossible numbers.
    threads: 0: one per processor.

    Raises OpenError or FormatError, with `file`, `offset` and `reason`. If some of several
    logs can be read, the others are a warning, `LogWarning`.
    """
    names_of_logs = listed(paths)
    again = functools.partial(
        _diya.open,
        names_of_logs,
        ranks=ranks,
        names=list(names),
        regions=list(regions),
        steps=steps,
        together=together,
        system_files=system_files,
        as_recorded=as_recorded,
        threads=threads,
    )
    native = again()
    for name, _, reason in native.refused():
        warnings.warn(f"{name}: {reason}", LogWarning, stacklevel=2)
    # What came through a pipe is not there a second time.
    return Job(native, again=None if "-" in names_of_logs else again)


class Job:
    """Logs that were opened. `with` closes it, which removes the log of `diya.record`.

    In another process, forked or pickled, the job opens its logs again when it is asked.
    """

    def __init__(
        self,
        native: _diya.Job,
        returncode: int | None = None,
        remove: Callable[[], object] | None = None,
        again: Callable[[], _diya.Job] | None = None,
    ) -> None:
        self._opened = os.getpid(), native
        self._again = again
        self._remove = remove
        #: Exit code of the recorded command; None: `diya.open` opened the log.
        self.returncode = returncode

    @property
    def _native(self) -> _diya.Job:
        process, native = self._opened
        # Threads of the SQL engine do not come along into a fork.
        if process != os.getpid() and self._again is not None:
            native = self._again()
            self._opened = os.getpid(), native
        return native

    def __reduce__(self) -> tuple[Callable[..., Job], tuple[object, ...]]:
        if self._again is None:
            raise SettingError("a job of standard input cannot be pickled: open its log in the other process")
        return _unpickled, (self._again, self.returncode)

    @property
    def logs(self) -> list[str]:
        """Names of the logs."""
        return [log for job in self._native.logs for log in job]

    def close(self) -> None:
        """Removes the log if `diya.record` made it without a name."""
        if self._remove is not None:
            self._remove()

    def __enter__(self) -> Job:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        logs = self.logs
        more = f" and {len(logs) - 3} more" if len(logs) > 3 else ""
        return f"<diya.Job {', '.join(logs[:3])}{more}>"

    def tables(self) -> list[Table]:
        """Tables with rows in these logs. Reads all of them."""
        known = {table.name: table for table in tables()}
        return [Table(name, known[name].doc, known[name].columns, rows) for name, rows in self._native.filled()]

    def table(self, name: str) -> Rows:
        """A table that is read from the logs: `diya.tables()` lists all."""
        _expect(name, [table.name for table in tables()], "table")
        return Rows(self._native.table(name))

    def metric(self, name: str) -> Rows:
        """A metric: `diya.metrics()` lists all."""
        _expect(name, [table.name for table in metrics()], "metric")
        return Rows(self._native.table(name))

    def sql(self, text: str) -> Rows:
        """The answer to one SQL query on tables and metrics. Ctrl-C ends it."""
        answers = self._native.sql(text)
        if len(answers) != 1:
            raise SettingError(f"expected one statement, found {len(answers)}")
        return Rows(answers[0])

    def issues(self) -> Rows:
        """What could not be read, was guessed, or is missing: table `read_issue`."""
        return Rows(self._native.table("read_issue"))

    def reports(self, *, checks: Paths = (), config: str | None = None, metric_rows: int = 0) -> list[Report]:
        """The diagnosis of each job in these logs.

        checks: folders with checks of your own.
        config: TOML file with thresholds and severities.
        metric_rows: rows of each metric table in `Report.to_dict`; 0: none.
        """
        natives = self._native.reports(listed(checks), config, metric_rows)
        return [Report(native) for native in natives]

    def report(self, *, checks: Paths = (), config: str | None = None, metric_rows: int = 0) -> Report:
        """The diagnosis; arguments as of `reports`, which several jobs need."""
        if len(self._native.logs) != 1:
            count = len(self._native.logs)
            raise SettingError(
                f"these logs are of {count} jobs: use reports(), or open(..., together=True) if they are of one"
            )
        return self.reports(checks=checks, config=config, metric_rows=metric_rows)[0]

    def timeline(self, *, height: int = 720, most_bytes: int = 16 << 20) -> Page:
        """The page of the report with the timeline and all views, for a notebook or a file.

        most_bytes: of calls; a larger log gets sums, the longest calls and a sample.
        """
        from ._page import Page

        if len(self._native.logs) != 1:
            raise SettingError("a page shows one job: open its logs alone")
        return Page(self._native.page(most_bytes), height)


def _unpickled(again: Callable[[], _diya.Job], returncode: int | None) -> Job:
    return Job(again(), returncode, again=again)


def _expect(name: str, known: list[str], what: str) -> None:
    if name in known:
        return
    near = difflib.get_close_matches(name, known, n=3)
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise UnknownNameError(f"there is no {what} {name!r}{hint} (diya.{what}s() lists all)")
