import random
import struct

N = 2500000
BLOCK = 20000
rng = random.Random(5)
hits = [(rng.randrange(432), rng.randrange(8), rng.random() < 0.02, 700 * rng.random(),
         rng.gammavariate(3.0, 12.0)) for _ in range(BLOCK)]
pack = struct.Struct("<HBBffI").pack
n = 0
with open("run0042.hits", "wb") as f:
    for start in range(0, N, BLOCK):
        rng.shuffle(hits)
        f.write(b"".join([pack(*h, (start + i) // 12) for i, h in enumerate(hits)]))
