"""Internal waves seen by a line of moored thermistor chains.

A two-layer ocean with a vertical-mode internal tide is sampled by the
moorings; temperature and salinity profiles go to a NetCDF file in the
layout our plotting scripts expect.
"""
import sys

import numpy as np
from netCDF4 import Dataset

N_MOORINGS = 6
N_LEVELS = 40
DEPTH = 400.0            # m
DT = 600.0               # s between samples
M2 = 2 * np.pi / 44712.0  # rad/s
PYCNOCLINE = 120.0       # m
SCALE = 25.0             # thickness of the pycnocline in m


def create(path, levels, positions):
    nc = Dataset(path, "w")
    nc.createDimension("time", None)
    nc.createDimension("mooring", N_MOORINGS)
    nc.createDimension("level", N_LEVELS)
    z = nc.createVariable("depth", "f4", ("level",))
    z.units = "m"
    z[:] = levels
    x = nc.createVariable("position", "f4", ("mooring",))
    x.units = "km"
    x[:] = positions
    nc.createVariable("time", "f8", ("time",)).units = "seconds since 2019-06-01"
    dims = ("time", "mooring", "level")
    chunks = (64, N_MOORINGS, N_LEVELS)
    nc.createVariable("temp", "f4", dims, chunksizes=chunks).units = "degC"
    nc.createVariable("salt", "f4", dims, chunksizes=chunks).units = "1"
    return nc


def displacement(t, x, levels, rng):
    """Mode-1 internal tide plus a few random high-frequency waves."""
    mode = np.sin(np.pi * levels / DEPTH)
    eta = 15.0 * np.cos(M2 * t - x / 18.0) * mode
    for n in range(2, 6):
        amp = rng.normal(0.0, 2.0 / n)
        eta += amp * np.sin(n * np.pi * levels / DEPTH) * np.cos(8 * n * M2 * t - x / 3.0)
    return eta


def profile(levels, eta):
    s = np.tanh((levels - eta - PYCNOCLINE) / SCALE)
    temp = 12.0 - 5.0 * s
    salt = 34.5 + 0.6 * s
    return temp, salt


def heat_content(temp, levels):
    return float(np.sum(0.5 * (temp[1:] + temp[:-1]) * np.diff(levels))) * 1025.0 * 3990.0


def store_profile(nc, it, im, temp, salt):
    tvar, svar = nc["temp"], nc["salt"]
    for k in range(N_LEVELS):
        tvar[it, im, k] = temp[k]
        svar[it, im, k] = salt[k]


def main():
    n_times = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    levels = np.linspace(5.0, DEPTH, N_LEVELS)
    positions = np.arange(N_MOORINGS) * 4.0
    rng = np.random.default_rng(11)
    nc = create("moorings.nc", levels, positions)
    heat = np.zeros(N_MOORINGS)
    for it in range(n_times):
        t = it * DT
        nc["time"][it] = t
        for im, x in enumerate(positions):
            eta = displacement(t, x, levels, rng)
            temp, salt = profile(levels, eta)
            store_profile(nc, it, im, temp, salt)
            heat[im] += heat_content(temp, levels)
    nc.close()
    print("mean heat content (GJ/m2):", np.round(heat / n_times / 1e9, 4))


if __name__ == "__main__":
    main()
