import os, numpy as np
rng = np.random.default_rng(5)
for split, n in (("train", 1200), ("valid", 300)):
    os.makedirs(split, exist_ok=True)
    np.save(f"{split}/coords.npy", rng.normal(size=(n, 48, 3)).astype("f4"))
    np.save(f"{split}/charge.npy", rng.normal(size=(n, 48)).astype("f4"))
    np.save(f"{split}/label.npy", rng.integers(0, 2, size=n).astype("i4"))
