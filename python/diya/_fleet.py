"""Datasets of many logs, which `diya fleet ingest` makes."""

from __future__ import annotations

import os
from dataclasses import dataclass

from . import _diya
from ._rows import Rows


@dataclass(frozen=True)
class Question:
    """A question to a dataset."""

    name: str
    #: What it answers, in one line.
    title: str
    #: Parameters: value unless it is set, and unit.
    parameters: dict[str, tuple[float, str]]


def fleet(path: str | os.PathLike[str], *, threads: int = 0) -> Fleet:
    """Opens a dataset of logs.

    path: the folder that `diya fleet ingest` wrote.
    threads: 0: one per processor.

    Raises OpenError where there is no dataset.
    """
    return Fleet(_diya.fleet(os.fspath(path), threads=threads), os.fspath(path))


class Fleet:
    """A dataset of many logs."""

    def __init__(self, native: _diya.Fleet, path: str) -> None:
        self._native = native
        #: Its folder.
        self.path = path

    def sql(self, text: str) -> Rows:
        """Rows of a query on its tables: job, finding, file_class, manifest, ...

        Raises QueryError.
        """
        return Rows(self._native.sql(text))

    def questions(self, folder: str | os.PathLike[str] | None = None) -> list[Question]:
        """The questions that `ask` knows, those of a folder behind the built-in ones."""
        return [
            Question(name, title, {key: (value, unit) for key, value, unit in parameters})
            for name, title, parameters in _diya.fleet_questions(_path(folder))
        ]

    def ask(
        self,
        question: str,
        *,
        folder: str | os.PathLike[str] | None = None,
        **parameters: float,
    ) -> Rows:
        """Rows of a question, with parameters set: `fleet.ask("slow-targets", most=10)`.

        Raises UnknownNameError for the question, SettingError for a parameter.
        """
        return Rows(self._native.ask(question, [*parameters.items()], _path(folder)))

    def __repr__(self) -> str:
        return f"<diya.Fleet {self.path}>"


def _path(folder: str | os.PathLike[str] | None) -> str | None:
    return None if folder is None else os.fspath(folder)
