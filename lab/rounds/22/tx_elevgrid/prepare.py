import os
import numpy as np
rng = np.random.default_rng(2202)
os.makedirs("strips", exist_ok=True)
n = 2048
y = np.linspace(0, 9, n)[:, None]
x = np.linspace(0, 7, n)[None, :]
dem = (400 * np.sin(x) * np.cos(y) + 700 + rng.normal(0, 4, (n, n))).astype("float32")
for i in range(0, n, 128):
    np.save("strips/strip_%04d.npy" % i, dem[i:i + 128])
