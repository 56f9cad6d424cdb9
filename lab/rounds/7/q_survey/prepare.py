import json
import os

import numpy as np

rng = np.random.default_rng(8)
os.makedirs("plots", exist_ok=True)
for i in range(80):
    n = int(rng.integers(150, 250))
    tab = np.column_stack([rng.uniform(0, 100, n), rng.uniform(0, 100, n), rng.gamma(4, 6, n)])
    np.savetxt("plots/plot_%03d.csv" % i, tab, delimiter=",", fmt="%.3f")
    if i % 5 == 0:
        with open("plots/plot_%03d.json" % i, "w") as f:
            json.dump({"slope": float(rng.uniform(0, 20))}, f)
