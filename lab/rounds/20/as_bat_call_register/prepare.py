import sys

import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(77)
x = rng.normal(0, 200, n * 3 * 256)
for i in range(n):
    a = i * 768 + 256
    t = np.arange(256)
    x[a:a + 256] += 6000 * np.sin(2 * np.pi * (0.15 + 0.1 * rng.random()) * t)
with open("night.raw", "wb") as f:
    f.write(np.uint32(250000).tobytes())
    f.write(np.clip(x, -32768, 32767).astype("<i2").tobytes())
