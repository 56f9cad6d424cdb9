import csv
import os
import sys

import h5py
import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(8)
os.makedirs("archive", exist_ok=True)
regions = ["alb", "baar", "eifel", "harz", "rhoen", "saale"]
for r in regions:
    with h5py.File(f"archive/{r}.h5", "w") as h5:
        h5["depth"] = np.arange(5, 105, 5, dtype="f8")
        h5["bulk_density"] = rng.uniform(0.7, 1.6, (600, 20))
        h5["carbon_fraction"] = rng.uniform(0.002, 0.06, (600, 20))
with open("plots.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["plot", "region", "row", "stand"])
    for i in range(n):
        w.writerow([f"P{i:05d}", regions[rng.integers(6)], rng.integers(600), ["beech", "oak", "spruce"][rng.integers(3)]])
