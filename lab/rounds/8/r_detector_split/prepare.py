"""Write raw camera frames with 12-bit packed pixels."""
import numpy as np

rng = np.random.default_rng(5)
N, NY, NX = 300, 512, 512
base = rng.integers(0, 256, NY * NX * 3 // 2, dtype=np.uint8)
with open("frames.p12", "wb") as f:
    for k in range(N):
        f.write(np.roll(base, 978 * k).tobytes())
