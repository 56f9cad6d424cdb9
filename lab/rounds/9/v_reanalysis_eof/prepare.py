import h5py
import numpy as np

rng = np.random.default_rng(6)
nt, ny, nx = 1460, 90, 180
lat = np.linspace(-89, 89, ny, dtype=np.float32)
lon = np.linspace(0, 358, nx, dtype=np.float32)
wave = np.cos(np.deg2rad(lat))[:, None] * np.sin(np.deg2rad(3 * lon))[None, :]
noise = rng.normal(0, 3, (73, ny, nx)).astype(np.float32)
with h5py.File("z500.h5", "w") as f:
    d = f.create_dataset("z500", (nt, ny, nx), "f4", chunks=(73, ny, nx))
    d.attrs["units"] = "gpm"
    for k in range(nt // 73):
        t = np.arange(73 * k, 73 * k + 73, dtype=np.float32)
        d[73 * k:73 * k + 73] = (5500 + 40 * np.sin(t * 0.0043)[:, None, None]
                                 + 25 * np.cos(t * 0.05)[:, None, None] * wave + np.roll(noise, 11 * k, axis=2))
    f["lat"] = lat
    f["lon"] = lon
