import os
import numpy as np
rng = np.random.default_rng(2205)
os.makedirs("data", exist_ok=True)
n = 4_000_000
z = np.minimum(rng.zipf(1.3, n), 96) - 1
z.astype("uint16").tofile("data/train.bin")
(np.arange(n) // 5000 % 4).astype("uint8").tofile("data/lang.bin")
