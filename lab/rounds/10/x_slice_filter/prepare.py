"""Raw tomogram slices, unsigned 16 bit, one file per slice."""
import os
import random

N, SLICES = 512, 160
rng = random.Random(77)
noise = rng.randbytes(N * N * 2 + 4096 * 2)
os.mkdir("raw")
for s in range(SLICES):
    start = 2 * ((s * 131) % 4096)
    with open("raw/slice_%04d.u16" % s, "wb") as f:
        f.write(noise[start:start + N * N * 2])
