"""Prints what the reader of the Python package otf2 finds in an archive, in sums.

    python tests/peers/otf2_text.py ARCHIVE/traces.otf2

Lines are ``clock RESOLUTION FIRST LENGTH REALTIME``, ``events RANK THREAD COUNT FIRST LAST``,
``region RANK THREAD COUNT TICKS NAME``,
``moved RANK THREAD COUNT REQUESTED RESULT PARADIGM MODE PATH`` and ``metric RANK COUNT SUM UNIT NAME``,
with the sum of the values in units. Ticks are those of the clock of
all locations. ``scripts/otf2-samples.sh`` calls this.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import otf2
from otf2.enums import Base, GroupType, IoOperationMode, LocationGroupType, Paradigm

#: Stands for a number that is not known.
UNKNOWN = 2**64 - 1


def places(definitions: Any) -> dict[Any, tuple[int, int]]:
    """Rank and thread of each location."""
    rank_of: dict[Any, int] = {}
    for group in definitions.groups:
        is_ranks = group.group_type == GroupType.COMM_LOCATIONS and group.paradigm == Paradigm.MPI
        if is_ranks and not rank_of:
            rank_of = {member: rank for rank, member in enumerate(group.members)}
    threads: dict[Any, list[Any]] = defaultdict(list)
    for location in sorted(definitions.locations, key=lambda location: location._ref):
        group = location.group
        if group.location_group_type == LocationGroupType.ACCELERATOR:
            # A device belongs to the process that uses it.
            group = getattr(group, "creating_location_group", None) or group
        threads[group].append(location)
    found = {}
    for number, group in enumerate(sorted(threads, key=lambda group: group._ref)):
        rank = next((rank_of[at] for at in threads[group] if at in rank_of), number)
        for thread, location in enumerate(threads[group]):
            found[location] = (rank, thread)
    return found


def path_of(handle: Any) -> str:
    """Return the file of a handle, or its own name."""
    at = handle
    while at is not None:
        if at.file is not None:
            return str(at.file.name)
        at = at.parent
    return str(handle.name)


def lines(anchor: Path) -> list[str]:
    """Read an archive and return its sums."""
    with otf2.reader.open(str(anchor)) as archive:
        clock = archive.definitions.clock_properties
        found = [
            f"clock {clock.timer_resolution} {clock.global_offset} {clock.trace_length} {clock.realtime_timestamp}"
        ]
        place_of = places(archive.definitions)
        counts: dict[Any, list[int]] = {}
        regions: dict[Any, list[int]] = defaultdict(lambda: [0, 0])
        moved: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0])
        stacks: dict[Any, list[int]] = defaultdict(list)
        begun: dict[Any, Any] = {}
        metrics: dict[Any, list[float]] = defaultdict(lambda: [0, 0.0])
        for location, event in archive.events:
            place = place_of[location]
            count = counts.setdefault(place, [0, event.time, event.time])
            count[0] += 1
            count[2] = event.time
            kind = type(event).__name__
            if kind == "Enter":
                stacks[location].append(event.time)
            elif kind == "Leave":
                region = regions[(*place, event.region.name)]
                region[0] += 1
                region[1] += event.time - stacks[location].pop()
            elif kind == "IoOperationBegin":
                begun[(location, event.handle, event.matching_id)] = event
            elif kind == "IoOperationComplete":
                begin = begun.pop((location, event.handle, event.matching_id))
                if begin.mode == IoOperationMode.FLUSH:
                    continue
                paradigm = begin.handle.io_paradigm.identification
                mode = "read" if begin.mode == IoOperationMode.READ else "write"
                sums = moved[(*place, paradigm, mode, path_of(begin.handle))]
                sums[0] += 1
                sums[1] += begin.bytes_request if begin.bytes_request != UNKNOWN else 0
                sums[2] += event.bytes_result if event.bytes_result != UNKNOWN else 0
            elif kind == "Metric":
                metric_class = getattr(event.metric, "metric_class", event.metric)
                for member, value in zip(metric_class.members, event.values):
                    base = 10 if member.base == Base.DECIMAL else 2
                    metric = metrics[(place[0], member.unit, member.name)]
                    metric[0] += 1
                    metric[1] += value * base**member.exponent
        announced = {place_of[at]: at.number_of_events for at in place_of}
        assert all(counts[place][0] == announced[place] for place in counts)
    found += [f"events {r} {t} {n} {a} {b}" for (r, t), (n, a, b) in sorted(counts.items())]
    found += [f"region {r} {t} {n} {d} {name}" for (r, t, name), (n, d) in sorted(regions.items())]
    found += [
        f"moved {r} {t} {n} {asked} {result} {paradigm} {mode} {path}"
        for (r, t, paradigm, mode, path), (n, asked, result) in sorted(moved.items())
    ]
    found += [f"metric {r} {n} {total:.9g} {unit} {name}" for (r, unit, name), (n, total) in sorted(metrics.items())]
    return found


if __name__ == "__main__":
    print("\n".join(lines(Path(sys.argv[1]))))
