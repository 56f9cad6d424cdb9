"""Annotations that a program has already for another profiler, taken as regions and steps."""

from __future__ import annotations

import sys
from typing import Any, Callable

from . import _annotate

#: Package, module and class of a context, and how it names itself.
_CONTEXTS = (
    ("PyTorch", "torch.autograd.profiler", "record_function"),
    ("TensorFlow", "tensorflow.python.profiler.trace", "Trace"),
)

#: The mark of a class whose contexts are taken, and of a context that was.
_TAKEN = "_diya_taken"


def take_annotations() -> list[str]:
    """Records what the program names for the profilers of PyTorch and TensorFlow.

    `torch.profiler.record_function` and `tf.profiler.experimental.Trace` become regions, a Trace
    with `step_num` also a step. To be called after these packages are imported; returns those
    whose annotations are taken. Without a recorder nothing is changed.
    """
    if _annotate._recorder is None:
        return []
    return [package for package, module, name in _CONTEXTS if _take(module, name)]


def _take(module: str, name: str) -> bool:
    context = getattr(sys.modules.get(module), name, None)
    if not isinstance(context, type):
        return False
    if _TAKEN not in vars(context):
        _wrap(context)
    return True


def _wrap(context: Any) -> None:
    """Lets contexts of this class begin and end a region."""
    begin: Callable[..., None] = context.__init__
    enter: Callable[..., Any] = context.__enter__
    leave: Callable[..., Any] = context.__exit__

    def __init__(self: Any, name: str, *more: Any, **named: Any) -> None:
        begin(self, name, *more, **named)
        setattr(self, _TAKEN, (_annotate.region(str(name)), named.get("step_num")))

    def __enter__(self: Any) -> Any:
        entered = enter(self)
        region, number = getattr(self, _TAKEN)
        if number is not None:
            _annotate.step(int(number))
        region.__enter__()
        return entered

    def __exit__(self: Any, *raised: Any) -> Any:
        region, number = getattr(self, _TAKEN)
        region.__exit__(*raised)
        if number is not None:
            _annotate.step(-1)
        return leave(self, *raised)

    context.__init__, context.__enter__, context.__exit__ = __init__, __enter__, __exit__
    setattr(context, _TAKEN, None)
