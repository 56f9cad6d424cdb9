"""Surges at a tide gauge: departures of the level from a running mean.

The logger's file is a sequence of 12-byte records behind a header; records
are taken one by one because some are marks of maintenance.
"""
import argparse
import collections
import json
import math
import struct

RECORD = struct.Struct("<IfHH")
MARK = 0x8000


def read_header(f):
    magic, station, count = struct.unpack("<4sIQ", f.read(16))
    if magic != b"TIDE":
        raise ValueError("not a logger file")
    return station, count


def records(f, count):
    for _ in range(count):
        when, level, flags, battery = RECORD.unpack(f.read(RECORD.size))
        yield when, level, flags, battery


class Running:
    """Mean and spread of the last n levels."""

    def __init__(self, n):
        self.window = collections.deque()
        self.n = n
        self.total = 0.0
        self.square = 0.0

    def add(self, x):
        self.window.append(x)
        self.total += x
        self.square += x * x
        if len(self.window) > self.n:
            old = self.window.popleft()
            self.total -= old
            self.square -= old * old

    def moments(self):
        k = len(self.window)
        mean = self.total / k
        return mean, math.sqrt(max(self.square / k - mean * mean, 0.0))


def surges(stream, window, factor):
    running = Running(window)
    found, marks = [], 0
    inside = False
    for when, level, flags, _ in stream:
        if flags & MARK:
            marks += 1
            continue
        running.add(level)
        mean, sd = running.moments()
        high = len(running.window) == window and level > mean + factor * sd
        if high and not inside:
            found.append((when, level - mean))
        inside = high
    return found, marks


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("logger_file")
    p.add_argument("--window", type=int, default=720)
    p.add_argument("--factor", type=float, default=2.1)
    p.add_argument("--out", default="surges.json")
    args = p.parse_args()

    with open(args.logger_file, "rb", buffering=1 << 18) as f:
        station, count = read_header(f)
        found, marks = surges(records(f, count), args.window, args.factor)
    with open(args.out, "w") as f:
        json.dump({"station": station, "surges": found}, f)
    print(f"station {station}: {len(found)} surges, {marks} marks of maintenance")
    print(f"largest {max(h for _, h in found):.5f}, sum {sum(h for _, h in found):.4f}")


if __name__ == "__main__":
    main()
