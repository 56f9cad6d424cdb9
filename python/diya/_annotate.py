"""Regions, steps, epochs and notes of a Python program, in its recording by `diya run`."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Iterator
from contextlib import ContextDecorator
from itertools import count
from typing import Any, Callable, TypeVar

T = TypeVar("T")

#: No item of anybody.
_END = object()


class _Recorder:
    """The functions of the recorder in this process."""

    def __init__(self, library: Any) -> None:
        self.region_begin = _function(library, "region_begin", ctypes.c_char_p)
        self.region_end = _function(library, "region_end")
        self.step = _function(library, "step", ctypes.c_int64)
        self.epoch = _function(library, "epoch", ctypes.c_int64)
        self.note = _function(library, "note", ctypes.c_char_p)


def _function(library: Any, name: str, *arguments: Any) -> Callable[..., None]:
    function: Any = getattr(library, f"diya_annotate_{name}")
    function.argtypes, function.restype = arguments, None
    return function  # type: ignore[no-any-return]


def _find() -> _Recorder | None:
    if "DIYA_DIR" not in os.environ:
        return None
    try:
        # The functions are short and wait for nothing: the lock of the interpreter is kept.
        return _Recorder(ctypes.PyDLL(None))
    except (AttributeError, OSError):
        return None  # not preloaded here, or an older recorder


_recorder = _find()


class region(ContextDecorator):
    """A region of the program, as a context or a decorator; nothing where it is not recorded.

    >>> with region("checkpoint"):
    ...     pass
    """

    def __init__(self, name: str) -> None:
        self._name = name.encode(errors="replace")

    def __enter__(self) -> region:
        if _recorder is not None:
            _recorder.region_begin(self._name)
        return self

    def __exit__(self, *_: object) -> None:
        if _recorder is not None:
            _recorder.region_end()


def step(number: int) -> None:
    """Step `number` of this thread begins, and the one before ends; -1: it only ends."""
    if _recorder is not None:
        _recorder.step(number)


def epoch(number: int) -> None:
    """Epoch `number` of this thread begins, and the one before ends; -1: it only ends."""
    if _recorder is not None:
        _recorder.epoch(number)


def steps(items: Iterable[T], *, first: int = 0) -> Iterator[T]:
    """The items, each in a step, which ends when the next item is there.

    The time until it is there is a region "wait for data".

    >>> list(steps("ab"))
    ['a', 'b']
    """
    iterator = iter(items)
    wait = region("wait for data")
    try:
        for number in count(first):
            with wait:
                item = next(iterator, _END)
            if item is _END:
                return
            step(number)
            yield item  # type: ignore[misc]
    finally:
        step(-1)


def note(text: str) -> None:
    """A moment with a text."""
    if _recorder is not None:
        _recorder.note(text.encode(errors="replace"))
