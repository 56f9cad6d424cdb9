"""The regions of a Darshan 3.x log, taken from its bytes without Darshan code.

Together with ``record_bytes.py`` this is the judge: where diya and PyDarshan
disagree, and for logs that PyDarshan refuses, the bytes say what is right. It
favours being short over being fast or robust.

Source: darshan-log-format.h and darshan-logutils.c of Darshan 3.5.0.
"""

from __future__ import annotations

import bz2
import gzip
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

MODULE_NAMES = (
    "NULL POSIX MPI-IO H5F H5D PNETCDF_FILE PNETCDF_VAR BG/Q LUSTRE STDIO DXT_POSIX"
    " DXT_MPIIO MDHIM APXC APMPI HEATMAP DFS DAOS"
).split()

#: Module ids of older logs -> today's. H5D came with 3.20, PNETCDF_VAR with 3.41.
IDS_BEFORE_3_20 = dict(enumerate([0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14]))
IDS_BEFORE_3_41 = dict(enumerate([0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]))

MAGIC = 6567223
#: Darshan's ids (hashes) of the names of heat maps.
HEATMAP_LAYERS = {
    16592106915301738621: "posix",
    3989511027826779520: "stdio",
    3668870418325792824: "mpiio",
    1597927878319380788: "dfs",
    4131494093108637317: "daos",
}


class NotDarshan3(ValueError):
    """The bytes are no log of the 3.x family."""


@dataclass
class Module:
    """One region of the log, decompressed; header, job and names have no number."""

    name: str
    id: int | None
    version: int | None
    offset_bytes: int
    stored_bytes: int
    is_partial: bool
    records: bytes = b""


@dataclass
class LogBytes:
    """A log cut into its regions; ``order`` is numpy's sign of its byte order."""

    version: str
    order: str
    compression: str
    job: bytes
    names: bytes
    modules: dict[str, Module] = field(default_factory=dict)
    parts: list[Module] = field(default_factory=list)
    is_prerelease_job: bool = False


def inflate(stored: bytes, compression: int) -> bytes:
    """A region is a row of complete streams, one per rank that had something to tell."""
    if compression == 2:
        return stored
    out = []
    while stored:
        stream = zlib.decompressobj() if compression == 0 else bz2.BZ2Decompressor()
        out.append(stream.decompress(stored))
        if not stream.eof:
            raise ValueError("a stream is cut")
        stored = stream.unused_data
    return b"".join(out)


def read_log_bytes(path: Path) -> LogBytes:
    """Cut a log (gzipped or not) into its decompressed regions.

    Raises
    ------
    NotDarshan3
        For anything that does not start with a 3.x header.
    """
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    order = next((o for o in "<>" if raw[8:16] == struct.pack(f"{o}q", MAGIC)), None)
    if order is None:
        raise NotDarshan3("no magic number at byte 8")
    version = raw[:8].rstrip(b"\0").decode()
    if not version.startswith("3."):
        raise NotDarshan3(f"version {version}, a legacy log")
    is_wide = tuple(map(int, version.split("."))) >= (3, 41)
    header_bytes, slots, map_at, version_at = (1328, 64, 32, 1072) if is_wide else (360, 16, 24, 296)
    partial = struct.unpack_from(order + ("Q" if is_wide else "I"), raw, 24 if is_wide else 20)[0]
    extents = [struct.unpack_from(order + "QQ", raw, map_at + 16 * i) for i in range(slots + 1)]
    versions = struct.unpack_from(f"{order}{slots}I", raw, version_at)
    compression = raw[16]

    starts = [offset for offset, length in extents if offset and length]
    job_end = min(starts, default=len(raw))
    job = inflate(raw[header_bytes:job_end], compression)
    names_at, names_bytes = extents[0]
    log = LogBytes(
        version=version,
        order=order,
        compression=("zlib", "bzip2", "none")[compression],
        job=job,
        names=inflate(raw[names_at : names_at + names_bytes], compression),
    )
    outer = [("header", 0, header_bytes), ("job", header_bytes, job_end - header_bytes)]
    outer += [("names", names_at, names_bytes)] if names_bytes else []
    log.parts = [Module(name, None, None, at, size, False) for name, at, size in outer]
    # Development logs of 3.4.0 say "3.41" but have the older job record; in the
    # earliest of them the modules still have the older numbers.
    log.is_prerelease_job = is_wide and job[40:48] == b"lib_ver="
    ids = {}
    if not is_wide:
        ids = IDS_BEFORE_3_20 if version in ("3.00", "3.10") else IDS_BEFORE_3_41
    elif log.is_prerelease_job and _is_heatmap(raw, extents[15], compression, order):
        ids = IDS_BEFORE_3_41
    for slot, (offset, length) in enumerate(extents[1:]):
        module_id = ids.get(slot, slot)
        is_partial = bool(partial >> slot & 1)
        # darshan-merge leaves the bit of slot 0, which belongs to no module.
        if length == 0 and not (is_partial and slot > 0):
            continue
        name = MODULE_NAMES[module_id] if module_id < len(MODULE_NAMES) else f"module {module_id}"
        records = inflate(raw[offset : offset + length], compression)
        log.modules[name] = Module(name, module_id, versions[slot], offset, length, is_partial, records)
    return log


def _is_heatmap(raw: bytes, extent: tuple[int, int], compression: int, order: str) -> bool:
    """Whether the slot after 13, APMPI today, holds heat maps."""
    records = inflate(raw[extent[0] : extent[0] + extent[1]], compression)
    return len(records) >= 8 and struct.unpack_from(f"{order}Q", records)[0] in HEATMAP_LAYERS
