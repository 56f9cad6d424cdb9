"""Decodes the counters of a segment, for segment.py: struct diya_counters."""

from __future__ import annotations

import struct

MAGIC = 0x54434E44
OPS = 40
COUNTER_ARRAYS = ["calls", "ticks", "failed", "first_ticks", "last_ticks"]
COUNTER_FIELDS = (
    ["bytes_read", "bytes_written", "max_byte_read", "max_byte_written", "consecutive_reads", "consecutive_writes"]
    + ["sequential_reads", "sequential_writes", "rw_switches", "unaligned_file", "unaligned_memory"]
)
COUNTER_TAIL = (
    ["collective_reads", "collective_writes", "split_reads", "split_writes", "nonblocking_reads"]
    + ["nonblocking_writes", "collective_opens", "max_read_ticks", "max_read_size", "max_write_ticks"]
    + ["max_write_size"]
)
COUNTERS = struct.Struct(f"<4I{5 * OPS}Q2Q2q7Q20Q11Q" + "QQ" * 16 + "qQ" * 16 + "2qQ2I")


def read_counters(data: bytes, at: int, end: int) -> list[dict]:
    blocks = []
    while at + COUNTERS.size <= end:
        values = COUNTERS.unpack_from(data, at)
        at += COUNTERS.size
        if values[0] != MAGIC:
            return blocks
        block = {"file": values[1], "layer": values[2]}
        for i, name in enumerate(COUNTER_ARRAYS):
            block[name] = values[4 + i * OPS : 4 + (i + 1) * OPS]
        rest = values[4 + 5 * OPS :]
        block.update(zip(COUNTER_FIELDS, rest))
        block["size_read"], block["size_write"] = rest[11:21], rest[21:31]
        block.update(zip(COUNTER_TAIL, rest[31:42]))
        pairs = rest[42:74]
        block["common_size"] = [(pairs[i], pairs[i + 1]) for i in range(0, 32, 2) if pairs[i + 1]]
        pairs = rest[74:106]
        block["common_stride"] = [(pairs[i], pairs[i + 1]) for i in range(0, 32, 2) if pairs[i + 1]]
        if values[3] == 1:
            add_repeats(block, rest[108], values[-2], rest[107] if values[-2] == 4 else rest[106])
        blocks.append(block)
    return blocks


def add_repeats(block: dict, repeats: int, last_op: int, last_byte: int) -> None:
    """Tiny calls that the process had not added to its counters when it was killed."""
    moved, calls, larger = repeats & 0xFFFFFF, repeats >> 24 & 0xFF, repeats >> 32 & 0xFF
    unsized, size = repeats >> 40 & 0xFF, repeats >> 48
    way, ways = ("written", "write") if last_op == 4 else ("read", "read")
    block["calls"] = tuple(n + calls * (op == last_op) for op, n in enumerate(block["calls"]))
    block[f"bytes_{way}"] += moved
    if moved:
        block[f"max_byte_{way}"] = max(block[f"max_byte_{way}"], last_byte + moved)
    for name in (f"consecutive_{ways}s", f"sequential_{ways}s"):
        block[name] += calls
    sizes = list(block[f"size_{ways}"])
    block[f"size_{ways}"] = (sizes[0] + calls - larger, sizes[1] + larger, *sizes[2:])
    if unsized:
        others = [pair for pair in block["common_size"] if pair[0] != size]
        before = sum(n for value, n in block["common_size"] if value == size)
        block["common_size"] = [(size, before + unsized), *others]
