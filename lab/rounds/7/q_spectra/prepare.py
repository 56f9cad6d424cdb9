import h5py
import numpy as np

rng = np.random.default_rng(4)
with h5py.File("spectra.h5", "w") as f:
    d = f.create_dataset("flux", (512, 1024), "f4", chunks=(32, 1024), compression="gzip", compression_opts=1)
    wave = np.linspace(0, 1, 1024)
    for i in range(0, 512, 32):
        centre = rng.uniform(0.2, 0.8, (32, 1))
        d[i:i + 32] = np.round(1000 * (1 + np.exp(-((wave - centre) / 0.01) ** 2)) + rng.normal(0, 5, (32, 1024)))
    d.attrs["instrument"] = "echelle"
