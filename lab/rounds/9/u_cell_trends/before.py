"""Temperature trends on a latitude-longitude grid, written as NetCDF."""
import argparse

import netCDF4
import numpy as np


def synthetic_climate(nyears, nlat, nlon, seed=3):
    rng = np.random.default_rng(seed)
    lat = np.linspace(-88, 88, nlat)
    base = 27.0 - 0.45 * np.abs(lat)[None, :, None]
    warming = 0.02 * (1 + np.abs(lat) / 90)[None, :, None] * np.arange(nyears)[:, None, None]
    noise = rng.normal(0, 0.6, (nyears, nlat, nlon))
    return lat, base + warming + noise


def create(path, lat, nlon):
    nc = netCDF4.Dataset(path, "w", format="NETCDF4")
    nc.createDimension("lat", len(lat))
    nc.createDimension("lon", nlon)
    nc.createVariable("lat", "f8", ("lat",))[:] = lat
    nc.createVariable("lon", "f8", ("lon",))[:] = np.arange(nlon) * 360.0 / nlon
    for name, units in (("mean", "degC"), ("trend", "K/decade"), ("sigma", "K")):
        v = nc.createVariable(name, "f8", ("lat", "lon"))
        v.units = units
    return nc


def cell_statistics(t, series):
    mean = series.sum() / series.size
    dev = series - mean
    slope = np.dot(t, dev) / np.dot(t, t)
    rest = dev - slope * t
    return mean, 10 * slope, np.sqrt(np.dot(rest, rest) / (series.size - 2))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--years", type=int, default=60)
    ap.add_argument("--nlat", type=int, default=72)
    ap.add_argument("--nlon", type=int, default=108)
    ap.add_argument("--out", default="trends.nc")
    args = ap.parse_args()

    lat, temp = synthetic_climate(args.years, args.nlat, args.nlon)
    t = np.arange(args.years) - (args.years - 1) / 2
    nc = create(args.out, lat, args.nlon)
    mean, trend, sigma = nc["mean"], nc["trend"], nc["sigma"]
    steepest = (0.0, 0, 0)
    for j in range(args.nlat):
        for i in range(args.nlon):
            m, s, e = cell_statistics(t, temp[:, j, i])
            mean[j, i] = m
            trend[j, i] = s
            sigma[j, i] = e
            steepest = max(steepest, (s, j, i))
    nc.close()
    s, j, i = steepest
    print(f"steepest trend {s:.4f} K/decade at lat {lat[j]:.1f}, column {i}")


if __name__ == "__main__":
    main()
