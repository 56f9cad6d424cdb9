"""Reports and comparisons as HTML for a notebook. Text of logs is always escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import _diya

if TYPE_CHECKING:
    from ._report import Finding, Report

_PRE = '<pre style="white-space:pre-wrap;text-align:left">'
_LEFT = ' style="text-align:left"'


def text(content: str) -> str:
    """A text with its line breaks."""
    return f"{_PRE}{escape(content)}</pre>"


def _saving(finding: Finding) -> str:
    low, high = finding.saving_range_s or (None, None)
    return escape(_diya.saving_text(finding.saving_s, low, high) or "–")


def _details(title: str, lines: list[str]) -> str:
    if not lines:
        return ""
    return f"<details><summary>{title}</summary>{text(chr(10).join(lines))}</details>"


def _finding(finding: Finding) -> str:
    headed = ((remedy.heading, remedy.text) for remedy in finding.remedies if remedy.fits)
    remedies = [f"{heading}: {text}" if heading else text for heading, text in headed]
    evidence = [row.text for row in finding.evidence]
    about = "".join(
        (
            f"<b>{escape(finding.title)}</b> <code>{escape(finding.id)}</code><br>",
            escape(finding.text),
            _details("Fix", remedies),
            _details("Evidence", evidence),
            _details("Source lines", list(finding.source)),
        )
    )
    cells = (escape(finding.severity.upper()), _saving(finding))
    head = "".join(f'<td style="vertical-align:top">{cell}</td>' for cell in cells)
    return f"<tr>{head}<td{_LEFT}>{about}</td></tr>"


def report(report: Report) -> str:
    """A report: the verdict, and a row per finding."""
    rows = "".join(_finding(finding) for finding in report.findings)
    head = f"<tr><th>Severity</th><th>Estimated saving</th><th{_LEFT}>Finding</th></tr>"
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows else ""
    return f"<p><b>{escape(report.verdict.text)}</b></p>{table}"
