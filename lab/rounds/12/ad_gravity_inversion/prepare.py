"""Sensitivity kernels of gravity surveys, one file per volcano."""
import array
import random
import struct

random.seed(8)
NCELL, NOBS = 5000, 60
base = [random.random() for _ in range(NCELL)]
for part in range(2):
    with open("kernel_%02d.bin" % part, "wb") as f:
        for o in range(NOBS):
            k = random.randrange(NCELL)
            row = array.array("d", base[k:] + base[:k]).tobytes()
            n = struct.pack("<i", len(row))
            f.write(n + row + n)
