"""An array of 64 MiB in compressed chunks of 8 MiB, written and averaged (zarr)."""

import numpy as np
import zarr

field = zarr.create_array("field.zarr", shape=(8192, 1024), chunks=(1024, 1024), dtype="f8")
for start in range(0, 8192, 1024):
    field[start : start + 1024] = np.round(np.random.default_rng(start).normal(size=(1024, 1024)), 2)
print(float(np.mean(field[:])))
