"""Packs a synthetic float archive: nlev temperatures and nlev salinities per profile."""
import array
import math
import random

NPROF, NLEV, UNIQUE = 400000, 24, 2000
random.seed(11)
block = array.array("f")
for i in range(UNIQUE):
    sst = 4.0 + 22.0 * random.random()
    sss = 33.5 + 2.5 * random.random()
    for k in range(NLEV):
        block.append(2.0 + (sst - 2.0) * math.exp(-k / 6.0))
    for k in range(NLEV):
        block.append(34.7 + (sss - 34.7) * math.exp(-k / 9.0))
data = block.tobytes()
with open("argo_profiles.bin", "wb") as f:
    for _ in range(NPROF // UNIQUE):
        f.write(data)
