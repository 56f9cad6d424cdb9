import os
import sys

import numpy as np
from PIL import Image

n = int(sys.argv[1])
rng = np.random.default_rng(3)
for s in ("north", "river", "saddle"):
    os.makedirs(f"card/{s}")
    for i in range(n):
        a = rng.integers(0, 255, (480, 640, 3), dtype=np.uint8)
        Image.fromarray(a).save(f"card/{s}/IMG_{i:04d}.jpg", quality=88)
