"""h5py and netCDF4, each with an HDF5 of its own where no global scope has it: what they see."""

import pathlib
import sys

import h5py
import netCDF4
import numpy as np

folder = pathlib.Path(sys.argv[1])
with h5py.File(folder / "h5py.h5", "w") as file:
    access = file.id.get_access_plist()
    print("h5py", access.get_alignment(), access.get_meta_block_size(), access.get_cache()[2])
    whole = file.create_dataset("whole", data=np.arange(300_000))
    print("dataset", whole.id.get_offset() % (1 << 20) == 0, whole.id.get_create_plist().get_fill_time())
    chosen = file.create_dataset("chosen", shape=(1000,), dtype="f4", chunks=(100,), fillvalue=7)
    print("own fill value", chosen.id.get_create_plist().get_fill_time(), int(chosen[5]))
with h5py.File(folder / "h5py.h5", "r") as file:
    print("sum", int(file["whole"][:].sum()), int(file["chosen"][:].sum()))
try:
    h5py.File(folder / "none.h5", "r")
except FileNotFoundError as error:
    print("error", error.errno)
with netCDF4.Dataset(folder / "field.nc", "w") as data:
    data.createDimension("x", 1000)
    data.createVariable("field", "f8", ("x",))[:] = np.arange(1000)
with netCDF4.Dataset(folder / "field.nc") as data:
    print("netcdf", float(data["field"][:].sum()))
