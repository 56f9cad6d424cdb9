"""Checkpoints of 128 MiB, each written whole into one contiguous dataset (h5py)."""

import h5py
import numpy as np

state = np.random.default_rng(1).random((128, 1 << 17))
for step in range(4):
    with h5py.File(f"checkpoint{step}.h5", "w") as file:
        file["state"] = state
