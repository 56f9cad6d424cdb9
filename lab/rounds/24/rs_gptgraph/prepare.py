import os
import numpy as np
rng = np.random.default_rng(20)
os.makedirs("grd", exist_ok=True)
for k in range(5):
    np.save(f"grd/S1A_IW_GRDH_2023060{k+1}.npy", rng.gamma(4.0, 60.0, (700, 800)).astype(np.uint16))
