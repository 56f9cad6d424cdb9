import os
import sys

import numpy as np
from PIL import Image

n = int(sys.argv[1])
rng = np.random.default_rng(19)
base = rng.integers(0, 60, (1100, 1600, 3), dtype=np.uint8)
for i in range(n):
    os.makedirs(f"photos/cam{i % 4}", exist_ok=True)
    a = np.roll(base, i * 7, axis=1) + np.uint8(40 + 35 * np.sin(i / 4.7))
    Image.fromarray(a).save(f"photos/cam{i % 4}/c{i % 4}_{i:03d}.jpg", quality=90)
