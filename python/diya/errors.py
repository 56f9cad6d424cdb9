"""What can go wrong."""

from __future__ import annotations


class Error(Exception):
    """An error of diya."""

    def __init__(
        self,
        text: str,
        file: str | None = None,
        offset: int | None = None,
        reason: str | None = None,
    ) -> None:
        super().__init__(text)
        #: The log, where it is about one.
        self.file = file
        #: Where in the log, in bytes, where it is at one place.
        self.offset = offset
        #: Why, without the name of the log.
        self.reason = text if reason is None else reason


class OpenError(Error):
    """A log cannot be opened: no such file, a directory, no right to read it."""


class FormatError(OpenError):
    """The bytes are no log that diya reads."""


class QueryError(Error):
    """The SQL is wrong, or the query failed while running."""


class SettingError(Error):
    """A setting makes no sense here."""


class UnknownNameError(Error, LookupError):
    """No table, metric or finding has this name."""


class RecordError(Error):
    """A command could not be recorded."""

    def __init__(self, text: str, returncode: int | None = None) -> None:
        super().__init__(text)
        #: Exit code of the command.
        self.returncode = returncode


class InternalError(Error):
    """A fault of diya itself."""


class LogWarning(UserWarning):
    """Some of several logs could not be read; the others were."""
