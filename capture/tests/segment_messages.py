"""Messages of MPI in a segment, and the numbers of variable length that all records have."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path


def message_table() -> dict[int, str]:
    text = (Path(__file__).parents[2] / "schema" / "messages.toml").read_text()
    return {int(of[1]): of[2] for of in re.finditer(r"\{ number = (\d+), key = \"(\w+)\"", text)}


MESSAGES = message_table()


@dataclass
class Message:
    function: str
    communicator: int
    role: int
    peer: int
    tag: int
    sequence: int
    size: int
    depth: int
    stack: int
    start: int
    ticks: int
    peers: list[int]


class Cursor:
    def __init__(self, data: bytes, at: int):
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & 0xFFFFFFFFFFFFFFFF
            shift += 7

    def zigzag(self) -> int:
        value = self.varint()
        value = (value >> 1) ^ -(value & 1)
        return value

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


def read_messages(tag: int, cursor: Cursor, segment) -> None:
    """Adds a record to the lists of its segment."""
    if tag == 0x24:
        function, communicator, role = cursor.varint(), cursor.varint(), cursor.byte()
        values = [cursor.zigzag(), cursor.zigzag(), *(cursor.varint() for _ in range(6))]
        peers = [cursor.varint() for _ in range(cursor.varint())]
        segment.messages.append(Message(MESSAGES[function], communicator, role, *values, peers))
    elif tag == 0x26:
        function, *values = (cursor.varint() for _ in range(5))
        segment.message_counts.append((MESSAGES[function], *values))
    else:
        values = [cursor.varint(), cursor.varint(), cursor.varint(), cursor.byte()]
        segment.communicators.append((*values, struct.unpack("<Q", cursor.take(8))[0]))
