import os
import numpy as np
from PIL import Image
rng = np.random.default_rng(11)
classes = ["AnnualCrop", "Forest", "Highway", "River", "SeaLake"]
for ci, c in enumerate(classes):
    os.makedirs(f"EuroSAT_RGB/{c}", exist_ok=True)
    for k in range(70):
        base = rng.integers(0, 90, (16, 16, 3)) + np.array([30 * ci, 120 - 15 * ci, 60 + 20 * (ci % 3)])
        im = np.kron(base, np.ones((16, 16, 1))) + rng.normal(0, 12, (256, 256, 3))
        Image.fromarray(np.clip(im, 0, 255).astype(np.uint8)).save(f"EuroSAT_RGB/{c}/{c}_{k+1}.jpg", quality=92)
