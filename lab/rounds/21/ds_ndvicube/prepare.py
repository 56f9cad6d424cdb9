import numpy as np
import netCDF4
rng = np.random.default_rng(5)
nt, ny, nx = 110, 480, 720
with netCDF4.Dataset("ndvi.nc", "w") as nc:
    nc.createDimension("time", nt); nc.createDimension("y", ny); nc.createDimension("x", nx)
    v = nc.createVariable("ndvi", "i2", ("time", "y", "x"), chunksizes=(1, ny, nx))
    v.set_auto_maskandscale(False)
    v.factor = 1e-4
    base = rng.integers(1000, 6000, (ny, nx))
    for t in range(nt):
        v[t] = (base + 1500 * np.sin(t / 9.0) + rng.integers(-400, 400, (ny, nx))).astype("i2")
