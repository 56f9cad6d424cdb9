import h5py, numpy as np
rng = np.random.default_rng(8)
n = 2400
base = np.add.outer(np.arange(64), np.arange(64)).astype("u1")
img = (base[None, :, :, None] + rng.integers(0, 24, size=(n, 64, 64, 1), dtype="u1") * np.array([1, 1, 0], "u1"))
with h5py.File("reef.h5", "w") as f:
    d = f.create_dataset("frames", data=img.astype("u1"), chunks=(100, 64, 64, 3), compression="gzip", compression_opts=1)
    d.attrs["site"] = "Ningaloo"
    f["cover"] = rng.random(n).astype("f4")
    f["transect"] = rng.integers(0, 12, n)
