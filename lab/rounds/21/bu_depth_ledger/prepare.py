import numpy as np
r = np.random.default_rng(15)
n = 150000
s = r.integers(0, 5_000_000 - 400, n).astype(np.uint32)
l = r.integers(50, 300, n).astype(np.uint32)
np.stack([s, l], 1).astype("<u4").tofile("aligned.bin")
