import numpy as np
rng = np.random.default_rng(31)
with open("forcing.bin", "wb") as f:
    for t in range(24):
        r = np.maximum(rng.gamma(0.5, 0.01, size=(96, 120)) - 0.004, 0)
        f.write(r.astype("<f4").tobytes())
