import random
from array import array

random.seed(9)
block = array("d", (random.random() for _ in range(65536)))
with open("opacity.tab", "wb") as fh:
    for k in range(96):
        block[k] = 0.5
        block.tofile(fh)
