import numpy as np
rng = np.random.default_rng(2215)
row = rng.integers(0, 24, 12000, dtype=np.uint8)
with open("landcover.bil", "wb") as f:
    for i in range(21000 // 100):
        block = np.stack([np.roll(row, (i * 100 + k) * 7) for k in range(100)])
        f.write(block.tobytes())
