"""One dataset and one attribute per time step, as scripts keep results (h5py)."""

import h5py
import numpy as np

with h5py.File("results.h5", "w") as file:
    for step in range(8000):
        data = file.create_dataset(f"step{step:05}", data=np.arange(16.0) + step)
        data.attrs["time"] = step * 0.1
