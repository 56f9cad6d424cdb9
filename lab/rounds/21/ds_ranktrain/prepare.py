import os, pickle, zlib
import numpy as np
rng = np.random.default_rng(12)
os.mkdir("shards")
for s in range(48):
    ids = rng.integers(0, 3000, (4000, 24)).astype(np.int32)
    clicks = (rng.random(4000) < 0.1 + 0.2 * (ids[:, 0] % 3 == 0)).astype(np.float32)
    with open(f"shards/{s:03d}.pkl.z", "wb") as f:
        f.write(zlib.compress(pickle.dumps((ids, clicks)), 1))
