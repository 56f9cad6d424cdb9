"""PyDarshan's plots and job summary, on reports that diya reads."""

from __future__ import annotations

import sys
from importlib import import_module

#: Classes that take the place of those of the same name.
_CLASSES = ("DarshanReport", "DarshanRecordCollection", "ModuleNotInDarshanLog")


def install() -> None:
    """Puts the classes of `diya.darshan` in the place of PyDarshan's, in this process.

    `darshan.DarshanReport` is then that of diya, and so is every report that PyDarshan opens for
    its plots, its job summary and its command line. Needs PyDarshan.
    """
    own, peer = import_module("diya.darshan"), import_module("darshan.report")
    import_module("darshan")
    originals = {name: getattr(peer, name) for name in _CLASSES}
    for module in [module for name, module in sys.modules.items() if name.split(".")[0] == "darshan"]:
        for name, original in originals.items():
            # Modules that had imported it, too.
            if getattr(module, name, None) is original:
                setattr(module, name, getattr(own, name))


def enable_experimental(verbose: bool = False) -> None:
    """Gives reports the functions `merge`, `filter`, `reduce`, `summarize` ... of PyDarshan."""
    install()
    import_module("darshan").enable_experimental(verbose)


def main() -> None:
    """PyDarshan's command line: `python -m diya.darshan summary LOG`."""
    install()
    import_module("darshan.cli").main()
