"""h5py and netCDF4 in one process: each brings its own copy of libhdf5, loaded
where the dynamic linker's global search does not see it."""

import sys

import h5py
import netCDF4
import numpy

folder = sys.argv[1]
with h5py.File(f"{folder}/h5py.h5", "w") as file:
    dataset = file.create_dataset("group/values", (100, 10), "f8", chunks=(10, 10), compression="gzip")
    dataset[0:20, :] = numpy.ones((20, 10))
    dataset.attrs["unit"] = "m"
with h5py.File(f"{folder}/h5py.h5", "r") as file:
    assert file["group/values"][()].sum() == 200

with netCDF4.Dataset(f"{folder}/netcdf4.nc", "w") as file:
    file.createDimension("x", 50)
    variable = file.createVariable("field", "i4", ("x",))
    variable[:] = numpy.arange(50)
    assert variable[10] == 10
