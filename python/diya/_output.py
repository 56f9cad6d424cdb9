"""What an answer of diya can be written as, whether it is a report or a comparison."""

from __future__ import annotations

import json
from typing import Any, Protocol


class Native(Protocol):
    """An answer of the extension module."""

    def format(self, format: str, /) -> str:
        """The answer in a format of the command line."""
        ...

    def text(self, detail: str, columns: int, colour: bool) -> str:
        """The answer as the command line prints it."""
        ...


class Output:
    """An answer that prints and writes itself as the command line does."""

    def __init__(self, native: Native) -> None:
        self._native = native
        self._data: dict[str, Any] = json.loads(native.format("json"))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as schema/report.schema.json or comparison.schema.json describes it."""
        return json.loads(self.to_json())  # type: ignore[no-any-return]

    def to_json(self) -> str:
        """The output of the command with `--format json`."""
        return self._native.format("json")

    def to_markdown(self) -> str:
        """For tickets, wikis and merge requests."""
        return self._native.format("markdown")

    def text(self, detail: str = "normal", columns: int = 100, colour: bool = False) -> str:
        """The text of the command; detail: brief, normal or verbose."""
        return self._native.text(detail, columns, colour)

    def __str__(self) -> str:
        return self.text()
