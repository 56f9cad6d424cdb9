"""Decodes the counters of a segment, for segment.py: struct diya_counters."""

from __future__ import annotations

import struct

MAGIC = 0x54434E44
OPS = 40
BLOCK_BYTES = 2560
HEAD = struct.Struct("<4I4Q")
PAIRS = struct.Struct("<" + "qQ" * 16)
TRANSFERS = struct.Struct("<Q2q4Q10Q3Q")
TRANSFER_FIELDS = ["bytes", "max_byte", "last_byte", "consecutive", "sequential", "max_ticks", "max_size"]
OP = struct.Struct("<5Q")
OP_FIELDS = ["calls", "ticks", "failed", "first_ticks", "last_ticks"]
COMMON_SIZE_AT, COLLECTIVE_OPENS_AT, WRITE_AT, READ_AT, OPS_AT, COMMON_STRIDE_AT = 48, 312, 320, 512, 672, 2272


def pairs(data: bytes, at: int) -> list[tuple[int, int]]:
    values = PAIRS.unpack_from(data, at)
    return [(values[i], values[i + 1]) for i in range(0, 32, 2) if values[i + 1]]


def transfers(data: bytes, at: int) -> dict:
    values = TRANSFERS.unpack_from(data, at)
    one = dict(zip(TRANSFER_FIELDS, values))
    one["sizes"] = values[7:17]
    one.update(zip(["collective", "split", "nonblocking"], values[17:]))
    return one


def read_counters(data: bytes, at: int, end: int) -> list[dict]:
    blocks = []
    while at + BLOCK_BYTES <= end:
        magic, file, layer, last_op, repeats, switches, unaligned, flags = HEAD.unpack_from(data, at)
        if magic != MAGIC:
            return blocks
        ops = [OP.unpack_from(data, at + OPS_AT + op * OP.size) for op in range(OPS)]
        block = {"file": file, "layer": layer, "rw_switches": switches, "unaligned_file": unaligned}
        block |= {"open_flags": flags, "collective_opens": struct.unpack_from("<Q", data, at + COLLECTIVE_OPENS_AT)[0]}
        block |= {name: tuple(op[i] for op in ops) for i, name in enumerate(OP_FIELDS)}
        block |= {"read": transfers(data, at + READ_AT), "write": transfers(data, at + WRITE_AT)}
        block |= {"common_size": pairs(data, at + COMMON_SIZE_AT), "common_stride": pairs(data, at + COMMON_STRIDE_AT)}
        add_repeats(block, repeats, last_op)
        blocks.append(block)
        at += BLOCK_BYTES
    return blocks


def add_repeats(block: dict, repeats: int, last_op: int) -> None:
    """Tiny calls that the process had not added to its counters when it was killed."""
    moved, calls, larger = repeats & 0xFFFFFF, repeats >> 24 & 0xFF, repeats >> 32 & 0xFF
    unsized, size = repeats >> 40 & 0xFF, repeats >> 48
    way = block["write" if last_op == 4 else "read"]
    block["calls"] = tuple(n + calls * (op == last_op) for op, n in enumerate(block["calls"]))
    way["bytes"] += moved
    if moved:
        way["max_byte"] = max(way["max_byte"], way["last_byte"] + moved)
    way["consecutive"] += calls
    way["sequential"] += calls
    sizes = way["sizes"]
    way["sizes"] = (sizes[0] + calls - larger, sizes[1] + larger, *sizes[2:])
    if unsized:
        others = [pair for pair in block["common_size"] if pair[0] != size]
        before = sum(n for value, n in block["common_size"] if value == size)
        block["common_size"] = [(size, before + unsized), *others]
