"""Small logs of the variants that no real log at hand shows.

Old record versions in both byte orders, bzip2 and no compression, regions of
more than 1 MiB, unused Lustre components, heat maps of unequal length, odd
names. The numbers in them are pseudo-random and without meaning: the logs only
ask whether every field is found where it stands.

Source: darshan-log-format.h and the record headers of Darshan 3.0.0 to main.
"""

from __future__ import annotations

import bz2
import struct
import zlib
from pathlib import Path

import numpy as np
from log_bytes import IDS_BEFORE_3_20, IDS_BEFORE_3_41, MAGIC, MODULE_NAMES
from record_bytes import record_type

#: Log version -> record versions that its library wrote.
FIXED_MODULES = {
    "3.00": {"POSIX": 1, "MPI-IO": 1, "H5F": 1, "PNETCDF_FILE": 1, "BG/Q": 1},
    "3.10": {"POSIX": 2, "MPI-IO": 2, "H5F": 2, "PNETCDF_FILE": 2, "BG/Q": 2, "STDIO": 1},
    "3.20": {"POSIX": 3, "MPI-IO": 3, "H5F": 3, "H5D": 1, "STDIO": 2},
    "3.21": {"POSIX": 4, "MPI-IO": 3, "H5F": 3, "H5D": 1, "PNETCDF_FILE": 2, "STDIO": 2},
    "3.41": dict.fromkeys(("POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "STDIO", "DFS", "DAOS"), 0),
}
TODAY = {"POSIX": 4, "MPI-IO": 3, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 3, "STDIO": 2}
FILE_IDS = [11, 12, 13, 2**63 + 5]
#: The last id has no name record; 12 is named twice, first with nothing.
NAMES = [(11, b"/scratch/a b"), (12, b""), (12, b"/home/b.dat"), (13, b"/scratchy/c")]
MOUNTS = "\nlustre\t/scratch\nnfs\t/home\next4\t/"
METADATA = "lib_ver=3.9.9\nh=romio_no_indep_rw=true;cb_nodes=4\nodd=a=b\n"


def fixed_records(module: str, version: int, order: str, rng: np.random.Generator) -> bytes:
    """Three records with every field set; some -1, some 0, one shared."""
    layout = record_type(module, version, order)
    rows = np.zeros(3, layout)
    for name in layout.names:
        kind = layout[name].kind
        if kind == "f":
            rows[name] = rng.random(3) * 1e3
        elif kind == "V":
            rows[name] = [rng.bytes(16) for _ in range(3)]
        elif kind == "S":
            rows[name] = b"node7"
        else:
            rows[name] = rng.choice([-1, 0, 5, 2**40 + 3], 3).astype("i8").view("u8").astype("i8")
    rows["file_id"], rows["rank"] = FILE_IDS[1:], [0, 3, -1]
    if "FOPENS" in layout.names:
        rows["FOPENS"] = [0, 2, 0]
    return rows.tobytes()


def dxt_records(module: str, version: int, order: str, rng: np.random.Generator) -> bytes:
    """Two records, writes and reads, with thread ids where the version has them."""
    has_thread = version >= (2 if module == "DXT_POSIX" else 3)
    out = b""
    for rank, (writes, reads) in enumerate([(3, 2), (0, 40_000)]):
        head = struct.pack(f"{order}Qqq64sqq", 11, rank, 0, b"node%d" % rank, writes, reads)
        kinds = [order + "i8", order + "i8", order + "f8", order + "f8"] + [order + "u8"] * has_thread
        segments = np.zeros(writes + reads, ",".join(kinds))
        for name in segments.dtype.names:
            segments[name] = rng.integers(0, 2**40, len(segments))
        out += head + segments.tobytes()
    return out


def heatmap_records(order: str, bins: list[int], rng: np.random.Generator) -> bytes:
    """One record per rank, with the given numbers of bins."""
    out = b""
    for rank, count in enumerate(bins):
        head = struct.pack(f"{order}Qqdq16x", 16592106915301738621, rank, 0.1, count)
        out += head + rng.integers(1, 2**40, 2 * count).astype(f"{order}i8").tobytes()
    return out


def lustre_records(version: int, order: str) -> bytes:
    """Version 2: two used components, one unused, OST ids of all three."""
    if version == 1:
        words = [11, 0, 248, 1, -1, 1 << 20, 3, 7, 8, 9, 12, -1, 248, 1, 0, 4 << 20, 1, 30]
        return np.array(words).astype(f"{order}i8").tobytes()
    out = struct.pack(f"{order}Qqqq", 11, -1, 3, 9)
    used = [(1 << 20, 2, 0, 16, 0, 1 << 30, 0), (4 << 20, 3, 0, 16, 1 << 30, -1, 0)]
    for counters in [*used, (-1, 4, -1, -1, -1, -1, -1)]:
        out += struct.pack(f"{order}7q16s", *counters, b"flash")
    return out + np.arange(100, 109).astype(f"{order}i8").tobytes()


def apmpi_records(order: str, rng: np.random.Generator) -> bytes:
    """The header record and three of ranks."""
    magic = sum(ord(c) << s for c, s in zip("APMPI", (32, 24, 16, 8, 0), strict=True))
    head = struct.pack(f"{order}QqqI4xdd", 11, -1, magic, 1, 0.5, 0.25)
    return head + fixed_records("APMPI", 1, order, rng)


def mdhim_records(order: str) -> bytes:
    """Two records, of 2 and of 3 servers."""
    out = b""
    for record_id, servers in ((11, 2), (13, 3)):
        out += struct.pack(f"{order}Qq5q4d", record_id, 1, 9, 8, 7, -1, servers, 0.5, 0.0, 0.25, 2.0)
        out += struct.pack(f"{order}{servers}q", *range(40, 40 + servers))
    return out


def modules_of(version: str, order: str, seed: int) -> dict[str, tuple[int, bytes]]:
    """Module name -> record version and records of a crafted log."""
    rng = np.random.default_rng(seed)
    found = {}
    for module, record_version in FIXED_MODULES[version].items():
        used = record_version or TODAY.get(module, 1)
        found[module] = (used, fixed_records(module, used, order, rng))
    if version != "3.00":
        dxt = {"3.10": (1, 1), "3.20": (1, 2), "3.21": (1, 2), "3.41": (1, 2)}[version]
        for module, used in zip(("DXT_POSIX", "DXT_MPIIO"), dxt, strict=True):
            found[module] = (used, dxt_records(module, used, order, rng))
    found["LUSTRE"] = (1 if version != "3.41" else 2, b"")
    found["LUSTRE"] = (found["LUSTRE"][0], lustre_records(found["LUSTRE"][0], order))
    if version == "3.41":
        found["HEATMAP"] = (1, heatmap_records(order, [4, 4], rng))
        found["APMPI"] = (1, apmpi_records(order, rng))
        found["MDHIM"] = (1, mdhim_records(order))
    return found


def write_log(
    path: Path,
    version: str,
    order: str,
    modules: dict[str, tuple[int, bytes]],
    compression: int = 0,
    names: list[tuple[int, bytes]] | None = None,
    mounts: str = MOUNTS,
) -> None:
    """Write a log: header, job, names, modules in ascending order of their numbers."""
    is_wide = version == "3.41"
    header_bytes, slots = (1328, 64) if is_wide else (360, 16)
    table = IDS_BEFORE_3_20 if version in ("3.00", "3.10") else IDS_BEFORE_3_41
    slot_of = {new: old for old, new in table.items()} if not is_wide else {}
    times = (1_700_000_000, 250_000_000, 1_700_000_012, 125_000_000)
    job = struct.pack(f"{order}q", 1000)
    job += struct.pack(f"{order}4q", *times) if is_wide else struct.pack(f"{order}2q", *times[::2])
    job += struct.pack(f"{order}2q1024s", 4, 4711, METADATA.encode())
    job += f"./app --with 'odd\\targument'{mounts}".encode() + b"\0"
    name_bytes = b""
    for record_id, name in NAMES if names is None else names:
        name_bytes += struct.pack(f"{order}Q", record_id)
        name_bytes += struct.pack(f"{order}I", len(name)) + name if version == "3.00" else name + b"\0"
    parts = {-2: job, -1: name_bytes}
    versions, partial = [0] * slots, 0
    for module, (record_version, records) in modules.items():
        module_id = MODULE_NAMES.index(module)
        slot = slot_of.get(module_id, module_id)
        parts[slot], versions[slot] = records, record_version
        partial |= (module in ("POSIX", "DXT_POSIX")) << slot
    extents, body, at = [(0, 0)] * (slots + 1), b"", header_bytes
    for slot in sorted(parts):
        stored = deflate(parts[slot], compression)
        if slot >= -1:
            extents[slot + 1] = (at, len(stored))
        body, at = body + stored, at + len(stored)
    header = struct.pack(f"{order}8sqB", version.encode(), MAGIC, compression)
    header += bytes(7) + struct.pack(f"{order}Q", partial) if is_wide else bytes(3) + struct.pack(f"{order}I", partial)
    header += b"".join(struct.pack(f"{order}QQ", *extent) for extent in extents)
    header += struct.pack(f"{order}{slots}I", *versions)
    path.write_bytes(header + body)


def deflate(region: bytes, compression: int) -> bytes:
    """A region as two streams, cut in the middle of a record."""
    half = len(region) // 2
    if compression == 2:
        return region
    compress = zlib.compress if compression == 0 else bz2.compress
    return compress(region[:half]) + compress(region[half:])


def write_all(folder: Path) -> list[Path]:
    """Write every crafted log into the folder and return their paths."""
    for version in FIXED_MODULES:
        for order, label in (("<", "little"), (">", "big")):
            modules = modules_of(version, order, seed=7)
            write_log(folder / f"crafted_{version}_{label}.darshan", version, order, modules)
    rng = np.random.default_rng(8)
    today = modules_of("3.41", "<", seed=9)
    threads = {m: (v, dxt_records(m, v, "<", rng)) for m, v in (("DXT_POSIX", 2), ("DXT_MPIIO", 3))}
    big = {m: (v, dxt_records(m, v, ">", rng)) for m, v in (("DXT_POSIX", 2), ("DXT_MPIIO", 3))}
    short = {"HEATMAP": (1, heatmap_records("<", [5, 4, 6], rng))}
    plain = {"POSIX": today["POSIX"]}
    last_empty, not_utf8 = [*NAMES, (14, b"")], [*NAMES, (14, b"/home/\xff\xfe.dat")]
    write_log(folder / "crafted_bzip2.darshan", "3.41", "<", today, compression=1)
    write_log(folder / "crafted_uncompressed.darshan", "3.41", "<", today, compression=2)
    write_log(folder / "crafted_threads_little.darshan", "3.41", "<", threads)
    write_log(folder / "crafted_threads_big.darshan", "3.41", ">", big)
    write_log(folder / "crafted_heatmap_bins.darshan", "3.41", "<", short)
    write_log(folder / "crafted_last_name_empty.darshan", "3.41", "<", plain, names=last_empty)
    write_log(folder / "crafted_name_not_utf8.darshan", "3.41", "<", plain, names=not_utf8)
    blank = MOUNTS + "\nxfs\t/with blank"
    write_log(folder / "crafted_mount_blank.darshan", "3.41", "<", plain, mounts=blank)
    write_log(folder / "crafted_nothing.darshan", "3.41", "<", {}, names=[])
    return sorted(folder.glob("crafted_*.darshan"))
