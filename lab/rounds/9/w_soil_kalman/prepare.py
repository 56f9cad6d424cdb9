import numpy as np

rng = np.random.default_rng(417)
n = 75000
state = np.zeros((n, 16), dtype=np.float64)
state[:, 0] = rng.uniform(0.08, 0.42, n)        # top moisture
state[:, 1] = rng.uniform(0.10, 0.38, n)        # root moisture
state[:, 2:6] = np.array([0.02, 0.004, 0.004, 0.01])
state[:, 6] = rng.uniform(0.2, 0.6, n)          # clay fraction
state[:, 7] = rng.uniform(0.5, 2.0, n)          # leaf area
state.tofile("cells.bin")
obs = rng.normal(0.25, 0.06, (3, n)).astype(np.float32)
obs.tofile("radiometer.bin")
