"""Alignment: 120 taxa x 24000 sites, one byte per base, sites first."""
import random

TAXA, SITES = 120, 24000
random.seed(8)
parent = [max(0, i - 1 - random.randrange(1 + i // 2)) for i in range(TAXA)]
rate = [0.01 + 0.03 * random.random() for _ in range(TAXA)]
with open("alignment.bin", "wb") as f:
    block = bytearray()
    for s in range(SITES):
        col = bytearray(TAXA)
        col[0] = random.randrange(4)
        draws = random.random
        for i in range(1, TAXA):
            b = col[parent[i]]
            if draws() < rate[i]:
                b = (b + 1 + int(3 * draws())) & 3
            col[i] = b
        block += col
    f.write(block)
