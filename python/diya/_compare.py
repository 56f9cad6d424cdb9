"""Runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from . import _diya
from ._job import Job
from ._output import Output
from ._paths import Paths, listed

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

#: The logs of one run: a job, or logs, of which several are repeats or parts of a job.
Run: TypeAlias = Union[Job, Paths]


def compare(
    before: Run,
    *after: Run,
    noise: float | None = None,
    system_files: bool = False,
    threads: int = 0,
) -> Comparison:
    """Compares runs with the first one: what changed, and is it faster?

    Each run is a job or a list of logs; several jobs in a list are repeats of the run, which
    measure the run-to-run variation.

    noise: run-to-run variation as a share, 0.05 for 5 %, where repeats do not measure it.
    """
    runs = [_logs(run) for run in (before, *after)]
    return Comparison(_diya.compare(runs, noise, system_files, threads))


def _logs(run: Run) -> list[str]:
    return run.logs if isinstance(run, Job) else listed(run)


class Comparison(Output):
    """What changed from the first run to the others."""

    @property
    def outcome(self) -> str:
        """Of the second run: faster, slower, same or unknown."""
        return str(self._data["runs"][0]["outcome"])

    @property
    def answer(self) -> str:
        """The same in a sentence."""
        return str(self._data["runs"][0]["text"])

    @property
    def regressions(self) -> list[str]:
        """What is worse in the second run, by more than the run-to-run variation."""
        return list(self._data["runs"][0]["regressions"])

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Each run but the first: outcome, metrics, phases, files, findings."""
        return list(self._data["runs"])

    def __repr__(self) -> str:
        return f"<diya.Comparison {self.answer!r}>"

    def _repr_html_(self) -> str:
        from ._html import text

        return text(self.text())
