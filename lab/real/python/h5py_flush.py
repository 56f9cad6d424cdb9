"""A row per step, flushed to be safe (h5py)."""

import h5py
import numpy as np

with h5py.File("log.h5", "w") as file:
    rows = file.create_dataset("rows", (0, 64), maxshape=(None, 64), chunks=(256, 64), dtype="f4")
    for step in range(8000):
        rows.resize(step + 1, axis=0)
        rows[step] = np.arange(64.0) + step
        file.flush()
