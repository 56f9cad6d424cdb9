"""Where a parallel program loses time in I/O.

>>> import diya
>>> job = diya.open("app.diya")
>>> print(job.report())
>>> job.sql("select layer, sum(read_bytes) from layer_load group by layer")

Guide: docs/guide/python.md.
"""

from __future__ import annotations

# As in `typing`, which would be most of the time of `import diya`.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from . import errors as errors
    from ._annotate import epoch as epoch
    from ._annotate import note as note
    from ._annotate import region as region
    from ._annotate import step as step
    from ._annotate import steps as steps
    from ._compare import Comparison as Comparison
    from ._compare import compare as compare
    from ._diya import __version__ as __version__
    from ._fleet import Fleet as Fleet
    from ._fleet import Question as Question
    from ._fleet import fleet as fleet
    from ._job import Column as Column
    from ._job import Job as Job
    from ._job import Table as Table
    from ._job import metrics as metrics
    from ._job import open as open
    from ._job import tables as tables
    from ._page import Page as Page
    from ._record import record as record
    from ._record import recording as recording
    from ._report import Evidence as Evidence
    from ._report import Finding as Finding
    from ._report import Remedy as Remedy
    from ._report import Report as Report
    from ._report import Verdict as Verdict
    from ._rows import Rows as Rows
    from ._take import take_annotations as take_annotations
    from .errors import Error as Error
    from .errors import FormatError as FormatError
    from .errors import InternalError as InternalError
    from .errors import LogWarning as LogWarning
    from .errors import OpenError as OpenError
    from .errors import QueryError as QueryError
    from .errors import RecordError as RecordError
    from .errors import SettingError as SettingError
    from .errors import UnknownNameError as UnknownNameError

# Where each name is: the native module is loaded when it is needed, not by `import diya`.
_PLACES = {
    "Column": "_job",
    "Comparison": "_compare",
    "Error": "errors",
    "Evidence": "_report",
    "Finding": "_report",
    "Fleet": "_fleet",
    "FormatError": "errors",
    "InternalError": "errors",
    "Job": "_job",
    "LogWarning": "errors",
    "OpenError": "errors",
    "Page": "_page",
    "QueryError": "errors",
    "Question": "_fleet",
    "RecordError": "errors",
    "Remedy": "_report",
    "Report": "_report",
    "Rows": "_rows",
    "SettingError": "errors",
    "Table": "_job",
    "UnknownNameError": "errors",
    "Verdict": "_report",
    "__version__": "_diya",
    "compare": "_compare",
    "epoch": "_annotate",
    "fleet": "_fleet",
    "metrics": "_job",
    "note": "_annotate",
    "open": "_job",
    "record": "_record",
    "recording": "_record",
    "region": "_annotate",
    "step": "_annotate",
    "steps": "_annotate",
    "tables": "_job",
    "take_annotations": "_take",
}

__all__ = [
    "Column",
    "Comparison",
    "Error",
    "Evidence",
    "Finding",
    "Fleet",
    "FormatError",
    "InternalError",
    "Job",
    "LogWarning",
    "OpenError",
    "Page",
    "QueryError",
    "Question",
    "RecordError",
    "Remedy",
    "Report",
    "Rows",
    "SettingError",
    "Table",
    "UnknownNameError",
    "Verdict",
    "__version__",
    "compare",
    "epoch",
    "fleet",
    "metrics",
    "note",
    "open",
    "record",
    "recording",
    "region",
    "step",
    "steps",
    "tables",
    "take_annotations",
]


def __getattr__(name: str) -> object:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{place}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(ipython: object) -> None:
    """``%load_ext diya``: adds the cell magic ``%%diya``."""
    from ._magic import register

    register(ipython)
