import os
import sys

import numpy as np

rng = np.random.default_rng(8)
os.makedirs("patches", exist_ok=True)
grid = np.linspace(-1, 1, 64)
for k in range(360):
    label = k % 3
    r2 = grid[:, None] ** 2 + grid[None, :] ** 2
    img = np.exp(-r2 * (1 + 2 * label)) * 200 + rng.normal(0, 9, (64, 64))
    mask = img > 90
    np.savez_compressed(f"patches/p{k:05d}.npz", image=img.astype(np.float32), mask=mask, label=np.int64(label))
