import os

import numpy as np

rng = np.random.default_rng(1)
os.makedirs("scans", exist_ok=True)
axis = np.linspace(0, 1, 512)
for k in range(40):
    lines = np.exp(-((axis[None, :] - rng.uniform(0.1, 0.9, (200, 1))) / 0.02) ** 2)
    np.save(f"scans/scan_{k:03d}.npy", (lines + 0.05 * rng.standard_normal((200, 512))).astype(np.float32))
