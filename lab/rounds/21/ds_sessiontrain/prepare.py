import numpy as np
rng = np.random.default_rng(9)
base = rng.zipf(1.3, 3_000_000).clip(0, 4999).astype(np.uint16)
with open("train.bin", "wb") as f:
    for k in range(8):
        np.roll(base, 7919 * k)[::-1 if k % 2 else 1].tofile(f)
rng.permutation(base).tofile("val.bin")
