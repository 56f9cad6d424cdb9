import netCDF4
import numpy as np
rng = np.random.default_rng(16)
T, Y, X = 168, 400, 500
nc = netCDF4.Dataset("s2_cube_32TQM.nc", "w")
nc.title = "Sentinel-2 analysis cube"
for n, d in (("time", T), ("y", Y), ("x", X)):
    nc.createDimension(n, d)
t = nc.createVariable("time", "f8", ("time",)); t[:] = np.arange(T) * 5.0; t.units = "days since 2022-01-01"
yy, xx = np.mgrid[0:Y, 0:X]
for k, b in enumerate(("B04", "B08", "SCL")):
    v = nc.createVariable(b, "i2", ("time", "y", "x"), zlib=True, complevel=2, shuffle=True, chunksizes=(24, 100, 100), fill_value=-1)
    if b != "SCL":
        v.scale_factor = 0.0001
    v.set_auto_maskandscale(False)
    for s in range(0, T, 24):
        tt = np.arange(s, s + 24)[:, None, None]
        if b == "SCL":
            a = np.where(rng.random((24, Y, X)) < .25, 9, 4)
        else:
            a = 900 + 2200 * k + (300 + 700 * k) * np.sin(tt / 11.) + 3 * (yy % 90) + rng.integers(0, 40, (24, Y, X))
        v[s:s + 24] = a.astype("i2")
nc.close()
with open("plots.csv", "w") as f:
    f.write("plot,row,col\n")
    for k in range(8):
        f.write(f"P{k+1:02d},{210 + rng.integers(0, 80)},{310 + rng.integers(0, 80)}\n")
