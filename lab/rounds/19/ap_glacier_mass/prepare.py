import numpy as np
rng = np.random.default_rng(20)
np.savez("outlines.npz", area=rng.gamma(2, 3, 420), slope=rng.uniform(5, 35, 420), zmed=rng.normal(2900, 300, 420),
         cell=rng.integers(0, 900, 420))
np.save("climate.npy", rng.normal(size=(900, 24)))
