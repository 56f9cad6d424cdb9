import os

import numpy as np

os.makedirs("tiles", exist_ok=True)
rng = np.random.default_rng(7)
y, x = np.mgrid[0:192, 0:192]
for i in range(48):
    label = i % 3
    bands = [np.round(900 + 300 * np.sin((x * (b + 1) + y * label) / 37.0) + rng.integers(0, 40, x.shape))
             for b in range(6)]
    np.savez_compressed("tiles/tile_%03d.npz" % i, image=np.array(bands, dtype=np.float32), label=label)
