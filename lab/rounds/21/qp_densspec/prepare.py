import numpy as np
rng = np.random.default_rng(3)
x = np.arange(2048) * 2 * np.pi / 2048
with open("density.raw", "wb") as f:
    for t in range(0, 3072, 256):
        a = rng.standard_normal((256, 2048)).astype("f4") * 0.2
        a += np.cos(17 * x + 0.1 * t).astype("f4")
        f.write(a.tobytes())
