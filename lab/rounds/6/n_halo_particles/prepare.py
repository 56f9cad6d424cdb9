"""Snapshot of a dark matter run: x, y, z, vx, vy and vz one after the other, doubles."""
import array
import math
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 240000
with open("snapshot.dat", "wb") as out:
    array.array("q", [n]).tofile(out)
    for component in range(6):
        scale = 40.0 if component < 3 else 180.0
        array.array("d", (scale * math.sin(0.7 * i * (component + 1)) for i in range(n))).tofile(out)
