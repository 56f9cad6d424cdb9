import numpy as np
rng = np.random.default_rng(2)
n = 262144
t = np.arange(n) / 20000.0
for c in range(12):
    x = 60 * np.sin(2 * np.pi * (6 + c) * t) + rng.normal(0, 12, n)
    at = rng.integers(100, n - 100, 400)
    for d, a in enumerate((-40, -90, -60, 20, 35, 15)):
        x[at + d] += a
    x.astype("<i2").tofile(f"probe_{c:02d}.i2")
