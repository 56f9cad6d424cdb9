"""A report, and its findings as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._output import Output
from .errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from . import _diya


@dataclass(frozen=True)
class Remedy:
    """Something to do."""

    #: Stack or language it is for: POSIX, MPI-IO, HDF5, Python, ...; `any` for all.
    stack: str
    #: `read`, `write`, or None for both.
    op: str | None
    #: Markdown.
    text: str
    #: Whether it fits language, library and direction; these come first.
    fits: bool

    @property
    def heading(self) -> str:
        """What it is for, as `HDF5, reading`; empty: every program."""
        direction = {"read": "reading", "write": "writing"}.get(self.op or "", "")
        if self.stack == "any":
            return direction.capitalize()
        return f"{self.stack}, {direction}" if direction else self.stack


@dataclass(frozen=True)
class Evidence:
    """One row of evidence."""

    text: str
    #: Values by column, whose names end in the unit.
    values: dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """A problem with its evidence."""

    #: Id of the check.
    id: str
    #: Its short code.
    code: str
    #: Layer of the calls that it is about: posix, mpiio, hdf5, ...
    layer: str
    title: str
    #: What stands above it in reports: of time without a known cause, its place; else the title.
    heading: str
    #: high, warn, unexplained, info or ok.
    severity: str
    #: The problem in one sentence, with numbers.
    text: str
    #: Estimated saving in seconds of run time; None: not quantifiable.
    saving_s: float | None
    #: The same, at least and at most; None: not quantifiable.
    saving_range_s: tuple[float, float] | None
    #: Why the saving may be 0.
    zero_because: str | None
    #: Id of the finding that is the cause of this one.
    explained_by: str | None
    #: Number, from 1, of the finding that counts the same time and is fixed first.
    same_time_as: int | None
    remedies: tuple[Remedy, ...]
    #: The worst rows.
    evidence: tuple[Evidence, ...]
    #: All rows, also those that are not in `evidence`.
    evidence_rows: int
    files: tuple[str, ...]
    #: Ranks; empty: all of them, or not recorded.
    ranks: tuple[int, ...]
    #: First and last moment, seconds since the start of the job.
    window_s: tuple[float, float] | None
    #: Storage targets.
    targets: tuple[int, ...]
    #: Source lines.
    source: tuple[str, ...]
    #: When the remedies do harm.
    risks: tuple[str, ...]
    #: Which number has to change after the fix.
    verify: str
    #: When the finding is wrong.
    wrong_when: str
    #: Everything, as schema/report.schema.json describes it.
    data: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Verdict:
    """The answer, and the numbers behind it; None: not known."""

    #: not_the_problem, findings, at_speed or not_judged.
    kind: str
    text: str
    io_share: float | None
    io_s: float | None
    run_s: float | None
    bytes: int | None
    #: low, medium or high.
    confidence: str


def _finding(data: dict[str, Any]) -> Finding:
    low, high, window = data["lost_low_s"], data["lost_high_s"], data["window_s"]
    return Finding(
        id=data["id"],
        code=data["code"],
        layer=data["layer"],
        title=data["title"],
        heading=data.get("heading", data["title"]),
        severity=data["severity"],
        text=data["text"],
        saving_s=data["saved_s"],
        saving_range_s=None if high is None else (low or 0.0, high),
        zero_because=data["zero_because"],
        explained_by=data["explained_by"],
        same_time_as=data.get("same_time_as"),
        remedies=tuple(Remedy(a["stack"], a.get("op"), a["text"], a.get("fits", False)) for a in data["actions"]),
        evidence=tuple(Evidence(e["text"], e["values"]) for e in data["evidence"]),
        evidence_rows=data["evidence_rows"],
        files=tuple(data["files"]),
        ranks=tuple(data["ranks"]),
        window_s=None if window is None else (window[0], window[1]),
        targets=tuple(data["targets"]),
        source=tuple(data["source"]),
        risks=tuple(data["contraindications"]),
        verify=data["verify"],
        wrong_when=data["wrong_when"],
        data=data,
    )


class Report(Output):
    """What diya finds in the logs of one job."""

    def __init__(self, native: _diya.Report) -> None:
        super().__init__(native)
        #: Problems, the first to look at first.
        self.findings = [_finding(finding) for finding in self._data["findings"]]
        verdict = self._data["verdict"]
        #: The answer.
        self.verdict = Verdict(
            kind=verdict["kind"],
            text=verdict["text"],
            io_share=verdict["io_share"],
            io_s=verdict["io_s"],
            run_s=verdict["run_s"],
            bytes=verdict["bytes"],
            confidence=verdict["confidence"],
        )

    @property
    def logs(self) -> list[str]:
        """Logs it is about."""
        return list(self._data["logs"])

    @property
    def saving_s(self) -> float | None:
        """Estimated saving of all fixes together, in seconds; None: not quantifiable."""
        together = self._data["all_fixed"]
        return None if together is None else together["saved_s"]

    @property
    def passed(self) -> list[str]:
        """Ids of the checks that found nothing."""
        return [check["id"] for check in self._data["passed"]]

    @property
    def not_applicable(self) -> list[str]:
        """Ids of the checks that have nothing to look at in these logs."""
        return [check["id"] for check in self._data["not_applicable"]]

    @property
    def unknown(self) -> dict[str, str]:
        """Checks that could not be decided, and why."""
        return {check["id"]: check["reason"] for check in self._data["unknown"]}

    def finding(self, name: str) -> Finding:
        """The finding of a check, by id or code."""
        for finding in self.findings:
            if name in (finding.id, finding.code):
                return finding
        raise UnknownNameError(f"the report has no finding of {name!r}")

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return True

    def to_csv(self) -> str:
        """One line per finding."""
        return self._native.format("csv")

    def to_sarif(self) -> str:
        """For code hosts that show findings at source lines."""
        return self._native.format("sarif")

    def __repr__(self) -> str:
        return f"<diya.Report {self.verdict.text!r}, {len(self)} findings>"

    def _repr_html_(self) -> str:
        from ._html import report

        return report(self)
