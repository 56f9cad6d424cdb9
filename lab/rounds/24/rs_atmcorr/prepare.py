import os
import numpy as np
rng = np.random.default_rng(21)
os.makedirs("toa", exist_ok=True)
for k in range(8):
    np.savez(f"toa/LC08_191031_20230{k+1}12.npz", toa=rng.uniform(.05, .5, (160, 160)).astype(np.float32),
             sza=np.float32(30 + 3 * k), aot=rng.uniform(.05, .6, (160, 160)).astype(np.float32))
