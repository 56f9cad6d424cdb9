"""Writes a recording of a real program as an archive of OTF2, by the writer of the package otf2.

    python tests/peers/otf2_of_recording.py DIYA RECORDING.diya FOLDER

Every call becomes a function that is entered and left, those that move data an operation inside.
``lab/agree/readers-agree.sh`` calls this: Score-P, which writes such archives, is in no registry.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import otf2
from otf2.enums import IoOperationFlag, IoOperationMode, LocationGroupType, LocationType
from otf2_parts import Names

RESOLUTION = 1_000_000_000
CALLS = """
select process, thread, call.layer, function, op, coalesce(path, '?') as path,
       cast(round(start_s * 1e9) as bigint) as start_ns, cast(round(end_s * 1e9) as bigint) as end_ns,
       offset_bytes, size_bytes, requested_bytes, error
from call left join file on call.log = file.log and call.file_id = file.file_id
where calls = 1 and call.layer in ('posix', 'stdio', 'mpiio') order by process, thread, start_s, end_s desc"""


def calls_of(diya: str, recording: str) -> list[dict[str, Any]]:
    """The calls, thread by thread, in the order of their starts."""
    answer = subprocess.run([diya, "sql", "-q", "--format", "json", recording, CALLS], check=True, capture_output=True)
    return json.loads(answer.stdout)


class Archive:
    """What is defined while calls are written."""

    def __init__(self, archive: Any) -> None:
        self.archive = archive
        self.names = Names(archive)
        self.node = archive.definitions.system_tree_node("node1", "node", parent=self.names.root)
        self.groups: dict[int, Any] = {}
        self.handles: dict[tuple[str, str], Any] = {}

    def location(self, process: int, thread: int) -> Any:
        """Return the events of a thread."""
        define = self.archive.definitions
        if process not in self.groups:
            self.groups[process] = define.location_group(f"Process {process}", LocationGroupType.PROCESS, self.node)
        location = define.location(f"thread {thread}", LocationType.CPU_THREAD, group=self.groups[process])
        return self.archive.event_writer_from_location(location)

    def handle(self, path: str, layer: str) -> Any:
        """Return the handle of a file in a layer."""
        names = self.names
        if (path, layer) not in self.handles:
            paradigm = {"posix": names.posix, "stdio": names.isoc, "mpiio": names.mpiio}[layer]
            file = self.archive.definitions.io_regular_file(path, names.root)
            self.handles[path, layer] = self.archive.definitions.io_handle(path, file, paradigm)
        return self.handles[path, layer]


def write(archive: Archive, calls: list[dict[str, Any]]) -> None:
    """Writes the calls of all threads."""
    events, of, now = None, None, 0
    open_calls: list[tuple[int, Any, Any]] = []

    def leave(until: float) -> None:
        nonlocal now
        while open_calls and open_calls[-1][0] <= until:
            end, region, done = open_calls.pop()
            now = max(now, end)
            if done is not None:
                handle, size = done
                events.io_operation_complete(now, handle, size, 0)
            events.leave(now, region)

    for call in calls:
        if (call["process"], call["thread"]) != of:
            leave(float("inf"))
            of, now = (call["process"], call["thread"]), 0
            events = archive.location(*of)
        leave(call["start_ns"])
        now = max(now, call["start_ns"])
        region, done = archive.names.region(call["function"]), None
        events.enter(now, region)
        if call["op"] in ("read", "write") and call["error"] is None and call["size_bytes"] is not None:
            handle = archive.handle(call["path"], call["layer"])
            mode = IoOperationMode.WRITE if call["op"] == "write" else IoOperationMode.READ
            asked = call["requested_bytes"]
            asked = call["size_bytes"] if asked is None else asked
            attributes = None
            if call["offset_bytes"] is not None:
                attributes = {archive.names.offset: call["offset_bytes"]}
            events.io_operation_begin(now, handle, mode, IoOperationFlag.NONE, asked, 0, attributes=attributes)
            done = (handle, call["size_bytes"])
        open_calls.append((call["end_ns"], region, done))
    leave(float("inf"))


def main(diya: str, recording: str, folder: str) -> None:
    """Write the archive."""
    with otf2.writer.open(folder, timer_resolution=RESOLUTION) as archive:
        archive.creator = Path(__file__).name
        write(Archive(archive), calls_of(diya, recording))


if __name__ == "__main__":
    main(*sys.argv[1:])
