import numpy as np
import netCDF4
rng = np.random.default_rng(44)
nt, ny, nx = 40, 512, 512
with netCDF4.Dataset("reflectance.nc", "w") as nc:
    nc.createDimension("time", nt); nc.createDimension("y", ny); nc.createDimension("x", nx)
    v = nc.createVariable("red", "i2", ("time", "y", "x"), chunksizes=(nt, 128, 128))
    v.set_auto_maskandscale(False)
    base = rng.integers(300, 3000, (ny, nx))
    for y in range(0, ny, 128):
        blk = base[None, y:y + 128] + rng.normal(0, 120, (nt, 128, nx))
        blk[rng.random(blk.shape) < 0.25] = 9000
        v[:, y:y + 128, :] = blk.astype("i2")
