# Maps of the total electron content over a continent, one record an epoch of five minutes.
import numpy as np

rng = np.random.default_rng(4)
NLON, NLAT, EPOCHS, RECEIVERS = 361, 181, 640, 560
lon = np.linspace(0, 2 * np.pi, NLON, dtype=np.float32)[None, :]
lat = np.linspace(-1, 1, NLAT, dtype=np.float32)[:, None]
noise = rng.standard_normal((2 * NLAT, NLON), dtype=np.float32)
with open("tec.maps", "wb") as f:
    for e in range(EPOCHS):
        sun = 2 * np.pi * e / 288
        tec = 22 + 15 * np.cos(lon - np.float32(sun)) * np.exp(-3 * (lat - 0.1) ** 2)
        k = e * 37 % NLAT
        (tec + 0.4 * noise[k:k + NLAT]).astype("<f4").tofile(f)
with open("receivers.txt", "w") as f:
    f.write(f"{NLON} {NLAT} {EPOCHS} {RECEIVERS}\n")
    for r in range(RECEIVERS):
        f.write(f"R{r:03d} {rng.uniform(1, NLON - 2):.4f} {rng.uniform(1, NLAT - 2):.4f} {rng.normal(0, 3):.4f}\n")
