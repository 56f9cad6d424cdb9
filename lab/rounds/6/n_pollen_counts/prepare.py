"""Slide scanner export: one fixed-size record for each detected grain."""
import random
import struct

rng = random.Random(4217)
block = bytearray()
for k in range(20000):
    block += struct.pack("<IHHffI", k, rng.randrange(48), rng.randrange(900),
                         rng.uniform(8.0, 95.0), rng.uniform(0.0, 1.0), rng.getrandbits(31))
with open("grains.bin", "wb") as out:
    for _ in range(120):
        out.write(block)
