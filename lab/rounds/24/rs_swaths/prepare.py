import os
import numpy as np
rng = np.random.default_rng(22)
os.makedirs("l1b", exist_ok=True)
for k in range(32):
    np.save(f"l1b/VNP02MOD.A2023{150+k//4:03d}.{(k%4)*6:02d}00.npy", rng.normal(285, 9, (200, 320)).astype(np.float32))
