"""Hourly temperature fields, one record per hour, row by row of single values."""
import numpy as np

NX, NY, NT = 90, 60, 240
y = np.arange(NY)[:, None]
x = np.arange(NX)[None]
with open("t2m.dat", "wb") as f:
    for t in range(NT):
        z = 285 + 8 * np.sin(2 * np.pi * (t - 9) / 24 + x / 40) - 0.2 * y + 0.5 * np.sin(x * y + t)
        f.write(z.astype("<f4").tobytes())
