import numpy as np

rng = np.random.default_rng(12)
centres = rng.normal(0, 3, (7, 6))
x = centres[rng.integers(0, 7, 60000)] + rng.normal(0, 1, (60000, 6))
np.save("features.npy", x.astype("f4"))
