"""Crops with four kinds of texture."""
import os
import random

SIDE, CROPS = 128, 1600
random.seed(71)
os.mkdir("plate")
kinds = []
for kind in range(4):
    variants = []
    for v in range(8):
        img = bytearray()
        for y in range(SIDE):
            for x in range(SIDE):
                lump = ((x // (8 + 4 * kind)) + (y // (24 - 4 * kind))) % 2
                img += int(200 + 900 * lump + random.expovariate(1 / 150)).to_bytes(2, "little")
        variants.append(bytes(img))
    kinds.append(variants)
for n in range(CROPS):
    kind = random.randrange(4)
    img = random.choice(kinds[kind])
    shift = 2 * SIDE * random.randrange(SIDE)
    with open(f"plate/kind_{kind}_{n:05d}.u16", "wb") as f:
        f.write(img[shift:] + img[:shift])
