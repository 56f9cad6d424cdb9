import os
import random
random.seed(99)
common = random.randbytes(4 << 20)
for name, shift in (("ant1.raw", 0), ("ant2.raw", 1370)):
    with open(name, "wb") as f:
        for b in range(12):
            noise = random.randbytes(1 << 20)
            k = (b * 131072 + shift) % (3 << 20)
            f.write(bytes((x + y) >> 1 for x, y in zip(noise, common[k:k + (1 << 20)])))
