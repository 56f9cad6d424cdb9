"""Synthetic terrain: 1200 x 1200 heights in decimetres, 16 bit."""
import array
import math
import random

random.seed(21)
N = 1200
waves = [(random.uniform(-1, 1) * f, random.uniform(-1, 1) * f, random.uniform(0, 6.28), 900.0 / f ** 1.1)
         for f in (1, 2, 3, 5, 8)]
sx = [[[fn(2 * math.pi * w[0] * x / N + w[2]) for x in range(N)] for fn in (math.sin, math.cos)] for w in waves]
with open("terrain.dem", "wb") as f:
    for y in range(N):
        row = [3000.0 + random.random() * 20 for _ in range(N)]
        for w, (s, c) in zip(waves, sx):
            p, q = math.cos(2 * math.pi * w[1] * y / N) * w[3], math.sin(2 * math.pi * w[1] * y / N) * w[3]
            row = [r + p * a + q * b for r, a, b in zip(row, s, c)]
        f.write(array.array("h", [max(0, min(32000, int(v))) for v in row]).tobytes())
