"""Decodes a segment into lines, for tests and for looking at one.

    segment.py FILE_OR_DIRECTORY...

Written from include/diya_trace.h, without the library's code, so that a
mistake in one does not hide in the other.
"""

from __future__ import annotations

import re
import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path

from segment_counters import read_counters
from segment_messages import Cursor, Message, read_messages

HEADER_BYTES = 8192
PAGE = 4096
WINDOW_MAGIC = 0x4E495744
HEATMAP_MAGIC = 0x50414548
RUN = struct.Struct("<IIIIQQQQQQq")
KINDS = {0: "file", 1: "pipe", 2: "dataset", 3: "attribute", 4: "variable", 5: "suffix", 6: "directory"}
REASONS = [
    "recordable",
    "static",
    "environment",
    "architecture",
    "privileged",
    "skipped",
    "unknown",
    "failed",
    "unreachable",
]
DROPPED = ["cap", "space", "signal", "late", "files"]


def function_table() -> dict[int, tuple[str, str, str]]:
    """Number of a function -> (key, op, layer), from the schema."""
    table = {}
    for toml in (Path(__file__).parents[2] / "schema" / "functions").glob("*.toml"):
        text = toml.read_text()
        layer = re.search(r'^layer = "(\w+)"', text, re.M).group(1)
        for line in re.finditer(r"\{ number = (\d+), key = \"(\w+)\".*?op = \"(\w+)\"", text):
            table[int(line[1])] = (line[2], line[3], layer)
    return table


FUNCTIONS = function_table()


@dataclass
class Call:
    function: str
    op: str
    layer: str
    file: int
    path: str
    offset: int
    requested: int
    done: int
    depth: int
    start: int
    duration: int
    tid: int
    aux: int | None = None
    file2: str | None = None
    collective: str = ""
    stack: int = 0
    calls: int = 1
    timed_calls: int = 1

    def __str__(self) -> str:
        more = f" aux={self.aux:#x}" if self.aux is not None else ""
        more += f" to={self.file2}" if self.file2 else ""
        more += f" {self.collective}" if self.collective else ""
        more += f" stack={self.stack}" if self.stack else ""
        more += f" calls={self.calls}" if self.calls != 1 else ""
        return (
            f"{'  ' * self.depth}{self.function} {self.path} offset={self.offset} "
            f"size={self.requested} done={self.done} ticks={self.duration} tid={self.tid}{more}"
        )


@dataclass
class Segment:
    path: Path
    header: dict
    calls: list[Call] = field(default_factory=list)
    names: dict[int, tuple[str, int, str]] = field(default_factory=dict)
    attributes: list[tuple[int, str, str]] = field(default_factory=list)
    stacks: dict[int, list[int]] = field(default_factory=dict)
    modules: list[tuple[int, int, int, str, str]] = field(default_factory=list)
    frames: dict[int, tuple[int, str, str]] = field(default_factory=dict)
    stack_frames: dict[int, list[int]] = field(default_factory=dict)
    started: list[tuple[int, str, str]] = field(default_factory=list)
    program_times: list[tuple[int, str, int]] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    counters: list[dict] = field(default_factory=list)
    heatmaps: list[dict] = field(default_factory=list)
    mappings: dict[int, dict] = field(default_factory=dict)
    faults: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    region_names: dict[int, str] = field(default_factory=dict)
    regions: list[dict] = field(default_factory=list)
    samples: list[tuple[int, int, int, int]] = field(default_factory=list)
    samples_lost: int = 0
    samples_refused: bool = False
    messages: list[Message] = field(default_factory=list)
    message_counts: list[tuple[str, int, int, int, int]] = field(default_factory=list)
    communicators: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    record_bytes: int = 0

    @property
    def hz(self) -> float:
        ticks = self.header["last_ticks"] - self.header["first_ticks"]
        return ticks * 1e9 / (self.header["last_mono"] - self.header["first_mono"])

    def name(self, file: int) -> str:
        if file == 0:
            return "-"
        text, parent, _ = self.names.get(file, (f"?{file}", 0, ""))
        return f"{self.name(parent)}:{text}" if parent else text


def text_of(raw: bytes) -> str:
    return raw.split(b"\0")[0].decode(errors="replace")


def read_header(data: bytes) -> dict:
    if data[:8] != b"DIYASEG1":
        raise ValueError("no segment")
    at = struct.unpack_from("<6IQ6Q4I2i1Ii2IQ8QiI", data, 8)
    names = (
        ["version", "endian", "header_bytes", "state", "mode", "clock", "nominal_hz"]
        + ["first_ticks", "first_mono", "first_real", "last_ticks", "last_mono", "last_real"]
        + ["pid", "ppid", "uid", "gid", "mpi_rank", "mpi_size", "mpi_family", "launcher_rank"]
        + ["has_stacks", "argv_cut", "max_trace_bytes"]
        + [f"dropped{i}" for i in range(8)]
        + ["exit_code", "process_start"]
    )
    header = dict(zip(names, at))
    header["dropped"] = {name: header[f"dropped{i}"] for i, name in enumerate(DROPPED)}
    at = 8 + struct.calcsize("<6IQ6Q4I2i1Ii2IQ8QiI")
    for name, room in (("host", 256), ("job_id", 128), ("exe", 2048), ("cwd", 1024), ("argv", 3072)):
        raw = data[at : at + room]
        header[name] = raw.split(b"\0\0")[0].decode(errors="replace").split("\0") if name == "argv" else text_of(raw)
        at += room
    count, *children = struct.unpack_from("<Q" + "IIQ" * 16, data, UNATTACHED_AT)
    header["unattached"] = (count, list(zip(children[0::3], children[1::3]))[:count])
    names = ("regions_dropped", "was_removed", "removed_calls", "messages_dropped")
    header |= zip(names, struct.unpack_from("<4Q", data, REGIONS_DROPPED_AT))
    return header | read_identity(data)


UNATTACHED_AT = 7056
REGIONS_DROPPED_AT = 7320
# `struct diya_identity`.
IDENTITY_AT = 7680
IDENTITY = struct.Struct("<2I16s40s16s3iI64s96s")


def read_identity(data: bytes) -> dict:
    names = ["identity_version", "python_frames", "language", "language_version", "launcher", "launcher_size"]
    names += ["local_rank", "local_size", "", "step_id", "container"]
    values = IDENTITY.unpack_from(data, IDENTITY_AT)
    return {name: text_of(value) if isinstance(value, bytes) else value for name, value in zip(names, values) if name}


class Slot:
    def __init__(self, function: int, file: int, depth: int):
        self.function, self.file, self.depth = function, file, depth
        self.offset = self.step = self.size = self.done = self.stack = 0


def read_call(cursor: Cursor, tag: int, state: dict, segment: Segment, tid: int) -> Call:
    slots = state["slots"]
    if not tag & 0x02:
        slot_byte = cursor.byte()
        state["slot"] = slot_byte & 0x7F
        if slot_byte & 0x80:
            slots[state["slot"]] = Slot(cursor.varint(), cursor.varint(), cursor.varint())
    slot = slots[state["slot"]]
    mode = tag & 0x0C
    offset = -1
    if mode:
        if mode == 0x04:
            offset = slot.offset + cursor.zigzag()
        elif mode == 0x08:
            offset = slot.offset + slot.step
        else:
            offset = slot.offset + slot.done
        slot.step = offset - slot.offset
        slot.offset = offset
    if not tag & 0x10:
        slot.size = cursor.varint()
    done = slot.size if tag & 0x20 else cursor.zigzag()
    slot.done = done
    if not tag & 0x40:
        slot.stack = cursor.varint()
    aux, file2, collective = None, None, ""
    if tag & 0x80:
        extension = cursor.byte()
        if extension & 1:
            aux = cursor.varint()
        if extension & 2:
            file2 = cursor.varint()
        collective = "collective" if extension & 4 else "independent" if extension & 8 else ""
    start = state["start"] + cursor.zigzag()
    state["start"] = start
    duration = cursor.varint()
    key, op, layer = FUNCTIONS.get(slot.function, (f"f{slot.function}", "?", "?"))
    call = Call(key, op, layer, slot.file, "", offset, slot.size, done, slot.depth, start, duration, tid)
    call.aux, call.collective, call.stack = aux, collective, slot.stack
    call.file2 = file2
    return call


MAPPING = struct.Struct("<2IQqII8Q")
MAPPING_FIELDS = ["number", "file", "bytes", "offset", "protection", "flags", "first_ticks", "last_ticks", "page_bytes"]
MAPPING_FIELDS += ["touched_pages", "resident_pages", "major_faults", "minor_faults", "has_faults"]


REGION = struct.Struct("<QQqII")
REGION_KINDS = ["region", "step", "epoch", "note"]


def read_other(tag: int, payload: bytes, segment: Segment, tid: int) -> None:
    cursor = Cursor(payload, 0)
    if tag == 0x02:
        file, parent, kind = cursor.varint(), cursor.varint(), cursor.byte()
        segment.names[file] = (payload[cursor.at :].decode(errors="replace"), parent, KINDS[kind])
    elif tag == 0x06:
        stack = cursor.varint()
        rest = payload[cursor.at :]
        segment.stacks[stack] = list(struct.unpack(f"<{len(rest) // 8}Q", rest))
    elif tag == 0x08:
        base, end, offset = struct.unpack_from("<3Q", payload)
        length = payload[24]
        build_id = payload[25 : 25 + length].hex()
        segment.modules.append((base, end, offset, build_id, payload[25 + length :].decode(errors="replace")))
    elif tag == 0x0A:
        file = cursor.varint()
        key, value = payload[cursor.at :].split(b"\0")[:2]
        segment.attributes.append((file, key.decode(), value.decode(errors="replace")))
    elif tag == 0x0C:
        function, file, depth, stack, first, last, busy, calls, timed, size, offset = RUN.unpack(payload)
        key, op, layer = FUNCTIONS.get(function, (f"f{function}", "?", "?"))
        call = Call(key, op, layer, file, "", offset, size, size, depth, first, last - first, tid)
        call.calls, call.timed_calls, call.stack = calls, timed, stack
        segment.calls.append(call)
    elif tag == 0x0E:
        frame, line = cursor.varint(), cursor.varint()
        file, function = payload[cursor.at :].split(b"\0")[:2]
        segment.frames[frame] = (line, file.decode(errors="replace"), function.decode(errors="replace"))
    elif tag == 0x10:
        stack = cursor.varint()
        frames = []
        while cursor.at < len(payload):
            frames.append(cursor.varint())
        segment.stack_frames[stack] = frames
    elif tag == 0x14:
        pid, reason = cursor.varint(), cursor.byte()
        segment.started.append((pid, REASONS[reason], payload[cursor.at :].decode(errors="replace")))
    elif tag == 0x16:
        mapping = dict(zip(MAPPING_FIELDS, MAPPING.unpack(payload)))
        segment.mappings[mapping["number"]] = mapping
    elif tag == 0x18:
        faults = segment.faults.setdefault(cursor.varint(), [])
        faults += struct.iter_unpack("<QQ", payload[cursor.at :])
    elif tag == 0x1A:
        pid, moment, ticks = cursor.varint(), cursor.byte(), cursor.varint()
        segment.program_times.append((pid, ("begins", "ended")[moment], ticks))
        if cursor.at < len(payload):
            segment.statuses[pid] = cursor.varint()
    elif tag == 0x1C:
        tid, period, lost = cursor.varint(), cursor.varint(), cursor.varint()
        segment.samples_refused |= period == 0
        segment.samples_lost += lost
        mono = address = 0
        while cursor.at < len(payload):
            mono, address = mono + cursor.varint(), address + cursor.zigzag()
            segment.samples.append((tid, period, mono, address))
    elif tag == 0x1E:
        name = cursor.varint()
        segment.region_names[name] = payload[cursor.at :].decode(errors="replace")
    elif tag == 0x20:
        start, end, number, name, kind = REGION.unpack(payload)
        region = {"start": start, "end": end, "number": number, "name": name, "kind": REGION_KINDS[kind], "tid": tid}
        segment.regions.append(region)
    elif tag in (0x24, 0x26, 0x28):
        read_messages(tag, cursor, segment)


def read_records(data: bytes, at: int, end: int, base_ticks: int, segment: Segment, tid: int) -> None:
    state = {"slots": {}, "slot": -1, "start": base_ticks}
    cursor = Cursor(data, at)
    while cursor.at < end and (tag := cursor.byte()) != 0:
        if tag & 1:
            segment.calls.append(read_call(cursor, tag, state, segment, tid))
        else:
            read_other(tag, cursor.take(cursor.varint()), segment, tid)
    segment.record_bytes += cursor.at - at


HEATMAP = struct.Struct("<IIQQ200Q200Q")


def read_segment(path: Path) -> Segment:
    data = Path(path).read_bytes()
    segment = Segment(Path(path), read_header(data))
    at = HEADER_BYTES
    while at + 64 <= len(data):
        magic, size, kind, tid, _, _, _, base = struct.unpack_from("<6IQQ", data, at)
        if magic != WINDOW_MAGIC:
            at += PAGE
            continue
        if kind == 1:
            read_records(data, at + 64, at + size, base, segment, tid)
        elif kind == 2:
            segment.counters += read_counters(data, at + 64, at + size)
        elif kind == 3:
            for place in range(at + 64, at + size - HEATMAP.size + 1, HEATMAP.size):
                values = HEATMAP.unpack_from(data, place)
                if values[0] == HEATMAP_MAGIC:
                    segment.heatmaps.append(
                        {"layer": values[1], "bin_ticks": values[2], "start_ticks": values[3]}
                        | {"read": values[4:204], "written": values[204:404]}
                    )
        at += size
    for region in segment.regions:
        region["name"] = segment.region_names.get(region["name"], "")
    for call in segment.calls:
        call.path = segment.name(call.file)
        if isinstance(call.file2, int):
            call.file2 = segment.name(call.file2)
    return segment


def segments(directory: Path) -> list[Segment]:
    return [read_segment(path) for path in sorted(Path(directory).glob("*.seg"))]


def main(arguments: list[str]) -> None:
    for argument in arguments:
        path = Path(argument)
        for segment in segments(path) if path.is_dir() else [read_segment(path)]:
            header = {
                key: value for key, value in segment.header.items() if not key.startswith("dropped") or key == "dropped"
            }
            print(f"# {segment.path.name} {header}")
            for call in segment.calls:
                print(call)
            for pid, reason, program in segment.started:
                print(f"started {program} as {pid}: {reason}")
            for file, key, value in segment.attributes:
                print(f"attribute {segment.name(file)} {key}={value}")
            for block in segment.counters:
                shown = {key: value for key, value in block.items() if not isinstance(value, tuple)}
                shown["calls"] = sum(block["calls"])
                print(f"counters {segment.name(block['file'])} {shown}")


if __name__ == "__main__":
    main(sys.argv[1:])
