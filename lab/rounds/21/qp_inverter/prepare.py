import numpy as np
rng = np.random.default_rng(11)
for i in range(1, 17):
    rng.standard_normal(24 * 24**3).tofile("source.%02d" % i)
