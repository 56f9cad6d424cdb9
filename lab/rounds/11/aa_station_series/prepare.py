"""Makes the wind fields of a weather model: NetCDF classic files with packed
16-bit values, one file for every five days."""
import array
import os
import random
import struct
import sys

TIMES, ROWS, COLS, FILES = 120, 240, 320, 8


def name(s):
    b = s.encode()
    return struct.pack(">i", len(b)) + b + bytes(-len(b) % 4)


def attribute(key, value):
    return name(key) + struct.pack(">iid", 6, 1, value)


def header(begin=0):
    h = b"CDF\x02" + struct.pack(">i", 0)
    h += struct.pack(">ii", 10, 3)
    for key, size in (("time", TIMES), ("y", ROWS), ("x", COLS)):
        h += name(key) + struct.pack(">i", size)
    h += struct.pack(">ii", 0, 0)
    h += struct.pack(">ii", 11, 1) + name("wind") + struct.pack(">iiii", 3, 0, 1, 2)
    h += struct.pack(">ii", 12, 2) + attribute("scale_factor", 0.001) + attribute("add_offset", 25.0)
    h += struct.pack(">iiq", 3, TIMES * ROWS * COLS * 2, begin)
    return h


random.seed(8)
os.makedirs("model", exist_ok=True)
block = array.array("h", [int(1000 * (min(49, random.weibullvariate(7.5, 2.1)) - 25)) for _ in range(96000)])
if sys.byteorder == "little":
    block.byteswap()
block = block.tobytes()
for k in range(FILES):
    shift = 2 * 997 * (k + 1)
    field = block[shift:] + block[:shift]
    with open(f"model/wind_{k:03d}.nc", "wb") as f:
        f.write(header(len(header())))
        for _ in range(TIMES * ROWS * COLS * 2 // len(block)):
            f.write(field)
