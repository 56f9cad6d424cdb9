import numpy as np
rng = np.random.default_rng(31)
n = 700000
d = np.zeros(n, dtype=[(k, "f8") for k in ("pt1", "eta1", "phi1", "pt2", "eta2", "phi2")] + [("q", "i4"), ("run", "i4")])
for k in ("1", "2"):
    d["pt" + k] = 3 + rng.exponential(14, n)
    d["eta" + k] = rng.normal(0, 1.2, n)
    d["phi" + k] = rng.uniform(-np.pi, np.pi, n)
d["q"] = rng.choice([-2, 0, 0, 2], n)
d["run"] = rng.integers(0, 3, n)
np.save("dimuon.npy", d)
