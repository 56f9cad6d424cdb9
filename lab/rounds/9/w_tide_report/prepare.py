import numpy as np

rng = np.random.default_rng(90)
t = np.arange(0, 366 * 24, 1 / 10.0)
periods = [12.4206, 12.0, 25.8193, 23.9345, 12.6583]
names = ["brest", "saltholm", "lerwick", "vlissingen"]
for k, name in enumerate(names):
    level = sum((1.5 - 0.25 * i + 0.1 * k) * np.cos(2 * np.pi * t / p + 0.3 * i + k) for i, p in enumerate(periods))
    (level + rng.normal(0, 0.15, t.size)).astype(np.float64).tofile(f"{name}.f64")
