"""Folder of granules: several acquisitions for every cell of the grid."""
import os
import numpy as np

ROWS, COLS, DATES = 26, 26, 7

os.makedirs("granules", exist_ok=True)
rng = np.random.default_rng(8)
for r in range(ROWS):
    for c in range(COLS):
        for d in range(DATES):
            day = 20230101 + 13 * d
            scene = rng.integers(100, 4000, (4, 4), dtype=np.uint16)
            scene.tofile(f"granules/S2_R{r:03d}C{c:03d}_{day}_ndvi.raw")
