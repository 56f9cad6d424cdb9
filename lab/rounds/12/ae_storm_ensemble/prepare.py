"""Block maxima of radar rain: float32 [pixel][block]."""
import array
import math
import random

random.seed(12)
NPIX, NMAX = 40000, 60
pool = array.array("f", (8 - 3 * math.log(-math.log(random.random() + 1e-12)) for _ in range(60000)))
with open("maxima.f32", "wb") as out:
    for p in range(NPIX):
        s = (p * 53) % 50000
        out.write(pool[s:s + NMAX].tobytes())
