import numpy as np

nt, nrho = 512, 1024
t = np.linspace(3.3, 8.0, nt)[:, None]
r = np.linspace(-12, 4, nrho)[None, :]
kappa = -0.4 + 1.5 * np.exp(-((t - 4.6) / 0.5) ** 2) + 0.2 * r - 0.02 * r * t
with open("opacity.tab", "wb") as f:
    np.array([nt, nrho], dtype=np.int64).tofile(f)
    kappa.tofile(f)
