import numpy as np
rng = np.random.default_rng(3)
with open("items.f32", "wb") as f:
    for _ in range(12):
        rng.normal(0, 1, (10000, 128)).astype("f4").tofile(f)
np.save("users.npy", rng.normal(0, 1, (700, 128)).astype("f4"))
