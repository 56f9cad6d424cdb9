import os
import random
from array import array

random.seed(4)
block = array("f", (random.gauss(0, 1) for _ in range(131072)))
with open("survey.trc", "wb") as fh:
    for k in range(128):
        block[k] = 1.0 + k
        block.tofile(fh)
