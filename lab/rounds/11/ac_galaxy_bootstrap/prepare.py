import math
import random
import struct

N = 1600000
BLOCK = 20000
rng = random.Random(21)
pack = struct.Struct("<ddf5ffq").pack
part = []
for i in range(BLOCK):
    m = rng.gauss(20.5, 1.5)
    part.append((360 * rng.random(), math.degrees(math.asin(2 * rng.random() - 1)),
                 rng.gammavariate(2.0, 0.25), *[m + rng.gauss(0.2 * k, 0.3) for k in range(5)],
                 rng.gammavariate(2.0, 0.5)))
with open("galaxies.cat", "wb") as f:
    for start in range(0, N, BLOCK):
        f.write(b"".join([pack(*p, start + i) for i, p in enumerate(part)]))
