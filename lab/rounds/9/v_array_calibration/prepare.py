import h5py
import numpy as np

rng = np.random.default_rng(4411)
nch, ns = 40, 400_000
base = rng.normal(0.0, 900.0, ns).astype(np.float32)
with h5py.File("array.h5", "w") as f:
    for c in range(nch):
        tr = np.roll(base, 37 * c).copy()
        tr[20_000 + 400 * c: 21_500 + 400 * c] *= 9.0
        d = f.create_dataset(f"chan_{c:02d}", data=tr)
        d.attrs["gain"] = 1.0 + 0.01 * c
        d.attrs["offset"] = 2.5 * c - 11.0
        d.attrs["tau"] = 0.004 + 0.0001 * c
        d.attrs["depth"] = 5.0 * c
        d.attrs["latitude"] = 46.0 + 0.01 * c
        d.attrs["longitude"] = 8.0 + 0.02 * c
