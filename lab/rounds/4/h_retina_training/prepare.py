"""Synthetic fundus patches with lesion labels, one file per patch."""
import os
import numpy as np

N_PATCHES = 560
SIDE = 64

rng = np.random.default_rng(11)
os.makedirs("patches", exist_ok=True)
yy, xx = np.mgrid[0:SIDE, 0:SIDE] / SIDE
for k in range(N_PATCHES):
    label = k % 2
    cx, cy = rng.uniform(0.3, 0.7, 2)
    image = 0.4 + 0.3 * np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / 0.1)
    if label:
        lx, ly = rng.uniform(0.2, 0.8, 2)
        image -= 0.35 * np.exp(-((xx - lx) ** 2 + (yy - ly) ** 2) / 0.004)
    image += rng.normal(0, 0.05, image.shape)
    stack = np.stack([image, image * 0.6, image * 0.3]).astype(np.float32)
    np.savez_compressed(f"patches/patch_{k:05d}.npz", image=stack, label=np.int64(label))
