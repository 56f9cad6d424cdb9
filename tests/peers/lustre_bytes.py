"""Lustre striping records from their bytes.

Source: darshan-lustre-logutils.c of Darshan 3.5.0. Version 1 holds one plain
layout; version 2 a list of components, of which those with stripe size -1 are
space the runtime had reserved and not used. OST ids follow all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from log_bytes import Module
from record_bytes import Table, native, text

#: 7 counters of 8 bytes and the pool name of 16.
COMPONENT_BYTES = 72
COMPONENT = "stripe_size stripe_count stripe_pattern flags ext_start ext_end mirror_id".split()
VERSION_1 = "osts mdts stripe_offset stripe_size stripe_count".split()


def layouts(module: Module, order: str) -> Iterator[tuple[dict, list[dict], list[int]]]:
    """Per record: file and rank, all stored components, the OST ids of the used ones."""
    words = native(np.frombuffer(module.records[: len(module.records) // 8 * 8], f"{order}i8"))
    at = 0
    while at < len(words):
        key = {"file_id": int(words[at].astype("u8")), "rank": int(words[at + 1])}
        if module.version == 1:
            counters = dict(zip(VERSION_1, words[at + 2 : at + 7].tolist(), strict=True))
            stored = [counters | {"ext_start": 0, "ext_end": -1, "pool_name": None}]
            osts_at, stripes = at + 7, counters["stripe_count"]
        else:
            count, stripes = words[at + 2 : at + 4].tolist()
            starts = [at + 4 + COMPONENT_BYTES // 8 * i for i in range(count)]
            stored = [component(module.records, words, start) for start in starts]
            osts_at = at + 4 + COMPONENT_BYTES // 8 * count
        at = osts_at + stripes
        yield key, stored, words[osts_at:at].tolist()


def used(stored: list[dict]) -> list[dict]:
    """The components before the first unused one."""
    sizes = [c["stripe_size"] for c in stored]
    return stored[: sizes.index(-1)] if -1 in sizes else stored


def lustre_tables(module: Module, order: str) -> dict[str, Table]:
    """Components and targets of all records, in the order of the log."""
    components: list[dict] = []
    targets: list[dict] = []
    for key, stored, osts in layouts(module, order):
        first = 0
        for index, counters in enumerate(used(stored)):
            components.append(key | {"component": index} | counters)
            for stripe in range(counters["stripe_count"]):
                row = {"component": index, "stripe": stripe, "ost_id": osts[first + stripe]}
                targets.append(key | row)
            first += counters["stripe_count"]
    return {"lustre_component": by_column(components), "lustre_target": by_column(targets)}


def component(records: bytes, words: np.ndarray, at: int) -> dict:
    """One stored component that starts at the given 8-byte word."""
    counters = dict(zip(COMPONENT, words[at : at + 7].tolist(), strict=True))
    return counters | {"pool_name": text(records[8 * (at + 7) : 8 * (at + 9)])}


def by_column(rows: list[dict]) -> Table:
    """Rows -> columns; ids unsigned, text as objects."""
    kinds = {"file_id": "u8", "pool_name": object}
    return {k: np.array([r[k] for r in rows], kinds.get(k, "i8")) for k in (rows or [{}])[0]}
