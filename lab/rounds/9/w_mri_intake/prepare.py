import os

import numpy as np

rng = np.random.default_rng(5)
os.mkdir("incoming")
for p in range(64):
    rng.integers(0, 4096, 200, dtype=np.uint16).tofile(f"pool_{p}")
for s in range(8):
    d = f"incoming/scan_{s:02d}"
    os.mkdir(d)
    for k in range(1300):
        os.link(f"pool_{(s * 7 + k) % 64}", f"{d}/slice_{k:05d}.img")
    (rng.normal(1.0, 0.1, (96, 96, 24)) * 1000).astype(np.float32).tofile(f"incoming/scan_{s:02d}.vol")
for p in range(64):
    os.remove(f"pool_{p}")
