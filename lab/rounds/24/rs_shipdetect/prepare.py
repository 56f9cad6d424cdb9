import os
import numpy as np
from PIL import Image
rng = np.random.default_rng(18)
os.makedirs("chips", exist_ok=True)
for k in range(120):
    a = np.clip(60 + rng.normal(0, 8, (768, 768)), 0, 255)
    for _ in range(rng.integers(0, 5)):
        r, c = rng.integers(10, 750, 2)
        a[r - 4:r + 4, c - 3:c + 3] = 235
    Image.fromarray(a.astype(np.uint8)).save(f"chips/S1_chip_{k:04d}.png", compress_level=6)
