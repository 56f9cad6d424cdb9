import os
import sys

import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(23)
os.makedirs("cubes")
base = rng.integers(100, 4000, (36, 700, 700), dtype=np.uint16)
for d in range(n):
    base[d % 36] += np.uint16(d)
    base.tofile(f"cubes/cube_{d:03d}.dat")
open("transect.ini", "w").write("[transect]\nband=17\nfirst_line=200\nlast_line=216\ngain=0.00025\ndark=64\n[cube]\nshape=36 700 700\n")
