import os
import numpy as np
from PIL import Image
rng = np.random.default_rng(17)
os.mkdir("scenes")
for k in range(27):
    small = rng.integers(0, 255, (60, 60, 3)).astype(np.uint8)
    im = Image.fromarray(small).resize((1400, 1400), Image.BICUBIC)
    im.save(f"scenes/scene_{k:03d}.jpg", quality=90)
