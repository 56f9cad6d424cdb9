"""The command line: `diya`, or `python -m diya`."""

from __future__ import annotations

import os
import signal
import sys
import sysconfig


def main() -> int:
    """Runs the command line with the arguments of this process."""
    from ._diya import main as run

    # Python ignores it, and what `diya run` starts would ignore it, too.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    script = os.path.join(sysconfig.get_path("scripts"), "diya")
    program = script if os.path.exists(script) else os.path.abspath(sys.argv[0])
    return run([program, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
