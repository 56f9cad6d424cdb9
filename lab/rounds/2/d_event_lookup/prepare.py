import random
import struct

rng = random.Random(5)
N = 400000
with open("hits.dat", "wb") as out:
    for start in range(0, N, 1000):
        out.write(b"".join(
            struct.pack("<q6f", k, rng.random(), rng.random(), rng.random(), rng.random(), 1.0, 0.5)
            for k in range(start, start + 1000)))
