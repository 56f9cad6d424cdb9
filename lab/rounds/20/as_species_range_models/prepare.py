import os
import sys

import netCDF4
import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(9)
with netCDF4.Dataset("climate.nc", "w") as nc:
    nc.createDimension("lat", 200)
    nc.createDimension("lon", 240)
    nc.createVariable("lat", "f8", ("lat",))[:] = np.linspace(35, 70, 200)
    nc.createVariable("lon", "f8", ("lon",))[:] = np.linspace(-10, 35, 240)
    nc.createVariable("temperature", "f4", ("lat", "lon"))[:] = rng.normal(9, 5, (200, 240))
    nc.createVariable("rain", "f4", ("lat", "lon"))[:] = rng.gamma(4, 180, (200, 240))
os.makedirs("species")
for k in range(n):
    with open(f"species/sp{k:02d}.csv", "w") as f:
        f.write("lat,lon,quality\n")
        for _ in range(800):
            f.write(f"{40 + 20 * rng.random():.4f},{20 * rng.random():.4f},{rng.integers(4)}\n")
