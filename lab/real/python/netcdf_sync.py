"""A model that writes a small record each step and syncs the file (netCDF4)."""

import numpy as np
from netCDF4 import Dataset

with Dataset("output.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
    file.createDimension("time", None)
    file.createDimension("cell", 500)
    for name in ("u", "v", "p", "t"):
        file.createVariable(name, "f8", ("time", "cell"))
    for step in range(1500):
        for name in ("u", "v", "p", "t"):
            file[name][step] = np.full(500, step)
        file.sync()
