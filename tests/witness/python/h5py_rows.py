"""Rows that a dataset grows by, flushed now and then, and read again (h5py)."""

import h5py
import numpy as np

with h5py.File("rows.h5", "w") as file:
    rows = file.create_dataset("rows", (0, 64), maxshape=(None, 64), chunks=(64, 64), dtype="f4")
    for step in range(300):
        rows.resize(step + 1, axis=0)
        rows[step] = np.arange(64.0) + step
        if step % 50 == 0:
            file.flush()
with h5py.File("rows.h5") as file:
    print(file["rows"][:, 3].sum())
