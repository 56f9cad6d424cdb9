"""The cell magic `%%diya`."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from typing import Any

from ._record import record


class _Parser(argparse.ArgumentParser):
    """Says what is wrong instead of ending the kernel."""

    def error(self, message: str) -> Any:
        from IPython.core.error import UsageError

        raise UsageError(f"%%diya: {message}")


def _parser() -> _Parser:
    parser = _Parser(prog="%%diya", add_help=False)
    parser.add_argument("name", nargs="?", default="_diya")
    parser.add_argument("-o", "--output")
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--profile", action="store_true")
    return parser


def register(ipython: Any) -> None:
    """Adds the magic to a shell of IPython."""

    def diya(line: str, cell: str) -> object:
        """Records a cell: `%%diya [NAME] [-o LOG] [--stacks] [--profile]`.

        The cell runs as a program of its own: it does not see the variables of the notebook.
        The job becomes the variable NAME (`_diya`); its report is shown.
        """
        return _run(ipython, line, cell)

    ipython.register_magic_function(diya, magic_kind="cell", magic_name="diya")


def _run(ipython: Any, line: str, cell: str) -> object:
    chosen = _parser().parse_args(shlex.split(line))
    with tempfile.TemporaryDirectory(prefix="diya-cell-") as folder:
        program = os.path.join(folder, "cell.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(cell)
        job = record(
            [sys.executable, program],
            output=chosen.output,
            stacks=chosen.stacks,
            profile=chosen.profile,
            write=_write,
        )
    ipython.push({chosen.name: job})
    if job.returncode:
        print(f"%%diya: the cell ended with exit code {job.returncode}", file=sys.stderr)
    return job.report()


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
