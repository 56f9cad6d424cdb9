import json
import os
import sys

import numpy as np

n, rows = int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(15)
os.makedirs("curves")
os.makedirs("reference")
np.save("reference/reference_v3.npy", rng.random((rows, 365), dtype=np.float32))
with open("reference/classes.txt", "w") as f:
    f.write("\n".join(["deciduous", "evergreen", "grassland", "cropland", "shrubland", "wetland"]))
sites = []
for i in range(n):
    c = rng.random((8, 365))
    c[rng.random(c.shape) < 0.1] = np.nan
    np.save(f"curves/s{i:03d}.npy", c)
    sites.append({"name": f"site{i:03d}", "file": f"s{i:03d}.npy"})
json.dump({"sites": sites}, open("sites.json", "w"))
