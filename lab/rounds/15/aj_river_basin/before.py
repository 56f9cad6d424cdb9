"""Daily water balance and routing in a river basin (grid model), NetCDF output.

Snow (degree-day), soil bucket and a linear-reservoir routing along the steepest
descent.  Means over five days are kept; those of a month are written together.  A file named STOP in the
run folder ends the run at the end of the day.
"""
import os
import sys

import netCDF4
import numpy as np

DAYS = int(sys.argv[1]) if len(sys.argv) > 1 else 360
NY, NX = 200, 260
PENTAD, MONTH = 5, 6           # days per pentad, pentads per month
rng = np.random.default_rng(1976)


def terrain():
    y, x = np.mgrid[0:NY, 0:NX]
    z = 1800 * np.exp(-((y - 40) / 90.0) ** 2) + 0.9 * (NX - x) + 40 * np.sin(x / 17.0) * np.sin(y / 11.0)
    return z.astype(np.float32)


def descent(z):
    """Index of the lowest of the four neighbours (itself in a sink)."""
    index = np.arange(NY * NX).reshape(NY, NX)
    lowest, target = z.copy(), index.copy()
    for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        nz, ni = np.roll(z, (-dy, -dx), (0, 1)), np.roll(index, (-dy, -dx), (0, 1))
        better = nz < lowest
        lowest[better], target[better] = nz[better], ni[better]
    return target.ravel()


class Basin:
    def __init__(self):
        self.z = terrain()
        self.target = descent(self.z)
        self.snow = np.zeros((NY, NX), np.float32)
        self.soil = np.full((NY, NX), 60.0, np.float32)
        self.channel = np.zeros(NY * NX)

    def day(self, doy):
        season = -np.cos(2 * np.pi * doy / 365.0)
        temp = 9.0 + 11.0 * season - 0.0065 * self.z + rng.normal(0, 2)
        rain = rng.gamma(0.4, 9.0) * (1 + self.z / 3000)
        snowfall = np.where(temp < 0.5, rain, 0)
        melt = np.minimum(self.snow, np.maximum(0, 3.5 * temp))
        self.snow += snowfall - melt
        water = self.soil + rain - snowfall + melt
        evap = np.minimum(water, 0.18 * np.maximum(temp, 0) * np.sqrt(water / 120.0))
        water -= evap
        runoff = np.maximum(water - 120.0, 0) + 0.01 * water
        self.soil = (water - runoff).astype(np.float32)
        self.channel += runoff.ravel()
        for _ in range(24):                       # one-hour routing steps
            flow = 0.18 * self.channel
            self.channel += np.bincount(self.target, flow, NY * NX) - flow
        return self.snow, self.soil, self.channel.reshape(NY, NX)


def open_output(name):
    nc = netCDF4.Dataset(name, "w", format="NETCDF4")
    for dim, size in (("time", None), ("y", NY), ("x", NX)):
        nc.createDimension(dim, size)
    for var, unit in (("snow", "mm"), ("soil", "mm"), ("channel", "mm")):
        v = nc.createVariable(var, "f4", ("time", "y", "x"), chunksizes=(MONTH, NY, NX))
        v.units = unit
    return nc


def main():
    basin = Basin()
    nc = open_output("basin.nc")
    month = {name: np.empty((MONTH, NY, NX), np.float32) for name in ("snow", "soil", "channel")}
    pentad = {name: np.zeros((NY, NX)) for name in month}
    done = 0
    for day in range(DAYS):
        for total, field in zip(pentad.values(), basin.day(day)):
            total += field
        if (day + 1) % PENTAD == 0:
            for name, total in pentad.items():
                month[name][done % MONTH] = total / PENTAD
                total[:] = 0
            done += 1
            if done % MONTH == 0:
                for name, fields in month.items():
                    nc.variables[name][done - MONTH:done] = fields
        if os.path.exists("STOP"):
            break
    nc.close()
    print(f"{done} pentads written, storage {basin.channel.mean():.3f} mm in channels, "
          f"{basin.snow.mean():.2f} mm snow")


if __name__ == "__main__":
    main()
