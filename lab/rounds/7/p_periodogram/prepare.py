import math
import random
import struct

rng = random.Random(11)
with open("photometry.bin", "wb") as out:
    t = 0.0
    for i in range(24000):
        t += rng.expovariate(30.0)
        mag = 14.2 + 0.3 * math.sin(2 * math.pi * t / 0.7312) + rng.gauss(0, 0.05)
        out.write(struct.pack("<dddd", t, mag, 0.05, float(i % 4)))
