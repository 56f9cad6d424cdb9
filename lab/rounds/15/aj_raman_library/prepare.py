"""A library of synthetic Raman spectra: noise plus two lines per mineral."""
import array
import math
import random

SLOTS = 120000
NCHAN = 255

random.seed(404)
base = []
for n in range(900):
    mineral = n % 300
    p1, p2 = random.uniform(20, 235), random.uniform(20, 235)
    a1, a2 = random.uniform(500, 3000), random.uniform(200, 1500)
    y = [int(300 + a1 * math.exp(-((k - p1) / 5) ** 2)
             + a2 * math.exp(-((k - p2) / 8) ** 2) + random.uniform(0, 60))
         for k in range(NCHAN)]
    base.append(array.array("H", y + [mineral]).tobytes())

with open("library.rlb", "wb") as f:
    f.write(b"RLB1".ljust(4096, b"\0"))
    for start in range(0, SLOTS, 1000):
        f.write(b"".join(random.choice(base) for _ in range(1000)))
