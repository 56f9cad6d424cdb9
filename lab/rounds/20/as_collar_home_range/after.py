"""Home ranges and step lengths of GPS-collared deer from the receiver's dump.

The receiver writes one stream for all animals: a two-byte length and the
payload of a fix (animal, time, easting, northing, dilution of precision).
"""
import argparse
import collections
import json
import logging
import os
import struct

import numpy as np

MAGIC = b"COLR"
FIX = struct.Struct("<HIffH")
LENGTH = struct.Struct("<H")


def load_settings(path):
    with open(path) as f:
        return json.load(f)


class CollarDump:
    """Iterates over the fixes of one receiver dump."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)
        head = os.pread(self.fd, 16, 0)
        if head[:4] != MAGIC:
            raise ValueError(f"{path}: not a receiver dump")
        self.count = struct.unpack_from("<Q", head, 8)[0]

    def fixes(self):
        at = 16
        with open(self.fd, "rb", closefd=False) as f:
            f.seek(0)
            data = f.read()
        for _ in range(self.count):
            size = LENGTH.unpack_from(data, at)[0]
            yield FIX.unpack_from(data, at + 2)
            at += 2 + size

    def close(self):
        os.close(self.fd)


def collect(dump, worst_dop):
    """Fixes of each animal, those of poor geometry left out."""
    tracks = collections.defaultdict(list)
    dropped = 0
    for animal, when, east, north, dop in dump.fixes():
        if dop > worst_dop:
            dropped += 1
            continue
        tracks[animal].append((when, east, north))
    return tracks, dropped


def hull_box(points, share):
    """Area of the box that holds the given share of the fixes."""
    lo, hi = np.quantile(points, [(1 - share) / 2, (1 + share) / 2], axis=0)
    return float(np.prod(hi - lo)) / 1e4


def summarise(tracks, share):
    rows = []
    for animal in sorted(tracks):
        a = np.array(tracks[animal], dtype=np.float64)
        steps = np.hypot(np.diff(a[:, 1]), np.diff(a[:, 2]))
        rows.append((animal, len(a), float(np.median(steps)), hull_box(a[:, 1:], share)))
    return rows


def write_table(rows, path):
    with open(path, "w") as f:
        f.write("animal,fixes,median_step_m,range_ha\n")
        for animal, n, step, area in rows:
            f.write(f"{animal},{n},{step:.2f},{area:.3f}\n")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("dump")
    p.add_argument("--settings", default="settings.json")
    p.add_argument("--out", default="home_range.csv")
    args = p.parse_args()
    logging.basicConfig(filename="home_range.log", level=logging.INFO)

    settings = load_settings(args.settings)
    dump = CollarDump(args.dump)
    logging.info("%s holds %d fixes", args.dump, dump.count)
    tracks, dropped = collect(dump, settings["worst_dop"])
    dump.close()
    logging.info("%d fixes dropped", dropped)
    rows = summarise(tracks, settings["share"])
    write_table(rows, args.out)
    print(f"animals {len(rows)} dropped {dropped}")
    print(f"total range {sum(r[3] for r in rows):.4f} ha, step {sum(r[2] for r in rows):.4f} m")


if __name__ == "__main__":
    main()
