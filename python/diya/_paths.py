"""Names of logs, as people give them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Union

#: One log or several.
Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


def listed(paths: Paths) -> list[str]:
    """The names as a list; `~` is the home directory."""
    if isinstance(paths, (str, os.PathLike)):
        return [os.path.expanduser(os.fspath(paths))]
    return [os.path.expanduser(os.fspath(name)) for name in paths]
