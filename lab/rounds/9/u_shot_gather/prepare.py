import numpy as np
rng = np.random.default_rng(11)
nt, ns = 900, 8192
t = np.arange(ns) / 500.0
data = rng.normal(0, 0.4, (nt, ns)).astype("f4")
for k in range(nt):
    t0 = 3.0 + 0.004 * k
    data[k] += np.exp(-((t - t0) / 0.05) ** 2) + 0.02 * t + 0.3
np.save("gather.npy", data)
