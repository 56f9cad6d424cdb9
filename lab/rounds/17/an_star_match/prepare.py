# A star catalogue of 64-byte records sorted by declination.
import math
import random
import struct

random.seed(77)
N = 60000
dec = sorted(math.asin(random.uniform(-1, 1)) for _ in range(N))
with open("catalogue.bin", "wb") as f:
    for i in range(N):
        near = [(i + random.randint(1, 300) * random.choice((-1, 1))) % N for _ in range(10)]
        f.write(struct.pack("<ddff10I", random.uniform(0, 2 * math.pi), dec[i],
                            random.gauss(9, 1.5), random.gauss(0.6, 0.3), *near))
