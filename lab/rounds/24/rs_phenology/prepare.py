import os
import numpy as np
rng = np.random.default_rng(26)
os.makedirs("inbox", exist_ok=True)
t = np.arange(46) * 8.0
for k in range(4):
    amp = rng.uniform(.2, .5, (110, 110, 1))
    nd = .2 + amp * np.exp(-((t - rng.uniform(160, 210, (110, 110, 1))) / 45) ** 2) + rng.normal(0, .02, (110, 110, 46))
    np.save(f"inbox/MOD13Q1_block{k}.npy", nd.astype(np.float32))
    open(f"inbox/MOD13Q1_block{k}.ready", "w").close()
