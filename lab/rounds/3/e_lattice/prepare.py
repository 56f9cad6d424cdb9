import random
from array import array

random.seed(2)
block = array("d", (random.uniform(0.0, 6.283) for _ in range(65536)))
with open("links.bin", "wb") as fh:
    for k in range(32):
        block[k] = 0.1 * k
        block.tofile(fh)
