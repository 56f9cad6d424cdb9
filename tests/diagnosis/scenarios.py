"""Jobs that never ran: faults at a scale no test machine has, and their look-alikes.

Each function of the modules below makes one log; the headers of the checks name those in
which they have to find something, and those in which they must not.
"""

from __future__ import annotations

import scenarios_counters
import scenarios_libraries
import scenarios_mpiio
import scenarios_posix
import scenarios_ranks
import scenarios_storage
from simulated_job import Job

MODULES = (
    scenarios_posix,
    scenarios_ranks,
    scenarios_storage,
    scenarios_mpiio,
    scenarios_libraries,
    scenarios_counters,
)


def scenario(name: str) -> Job:
    """The job of this name.

    Raises
    ------
    KeyError
        If no scenario has the name.
    """
    for module in MODULES:
        if hasattr(module, name):
            return getattr(module, name)()
    raise KeyError(name)
