import numpy as np
rng = np.random.default_rng(2213)
z = np.minimum(rng.zipf(1.25, 6_000_000), 5000) - 1
z.astype("uint16").tofile("corpus.bin")
