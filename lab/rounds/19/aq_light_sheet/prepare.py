import os
import shutil
import numpy as np
from PIL import Image
os.makedirs("stack", exist_ok=True)
rng = np.random.default_rng(3)
base = rng.normal(60, 20, (1400, 1400, 3)).astype("f4")
for i in range(4):
    img = np.clip(np.roll(base, 37 * i, 0) + 4 * i, 0, 255).astype("u1") & 0xF0
    Image.fromarray(img).save(f"stack/plane_{i:03d}.png", compress_level=1)
for i in range(4, 20):
    shutil.copy(f"stack/plane_{i % 4:03d}.png", f"stack/plane_{i:03d}.png")
