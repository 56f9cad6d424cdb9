"""Sea surface temperature: synthetic daily fields, climatology, anomalies and
their leading pattern; the anomalies are archived as NetCDF."""
import argparse

import numpy as np
from netCDF4 import Dataset


class Ocean:
    def __init__(self, nlat, nlon, seed):
        self.lat = np.linspace(-60, 60, nlat)
        self.lon = np.linspace(0, 360, nlon, endpoint=False)
        self.rng = np.random.default_rng(seed)
        self.base = 28.0 * np.cos(np.radians(self.lat))[:, None] + np.zeros(nlon)

    def day(self, d):
        season = 3.0 * np.sin(2 * np.pi * d / 365.0) * np.sin(np.radians(self.lat))[:, None]
        nino = 1.5 * np.sin(d / 90.0) * np.exp(-(self.lat[:, None] / 12) ** 2)
        nino = nino * np.exp(-(((self.lon - 220) / 40) ** 2))
        eddies = self.rng.standard_normal(self.base.shape)
        eddies = 0.5 * (eddies + np.roll(eddies, 1, axis=1))
        return self.base + season + nino + 0.6 * eddies


def climatology(fields):
    return fields.mean(axis=0)


def leading_pattern(anom):
    flat = anom.reshape(anom.shape[0], -1)
    cov = flat @ flat.T
    vals, vecs = np.linalg.eigh(cov)
    pattern = vecs[:, -1] @ flat
    return (pattern / np.linalg.norm(pattern)).reshape(anom.shape[1:]), vals[-1] / vals.sum()


def archive(path, ocean, anom, pattern):
    with Dataset(path, "w") as nc:
        nc.createDimension("time", anom.shape[0])
        nc.createDimension("lat", ocean.lat.size)
        nc.createDimension("lon", ocean.lon.size)
        nc.createVariable("lat", "f8", ("lat",))[:] = ocean.lat
        nc.createVariable("lon", "f8", ("lon",))[:] = ocean.lon
        var = nc.createVariable("sst_anomaly", "f8", ("time", "lat", "lon"),
                                zlib=True, complevel=9, shuffle=True,
                                chunksizes=(1, ocean.lat.size, ocean.lon.size))
        var.units = "degC"
        var[:] = anom
        nc.createVariable("eof1", "f8", ("lat", "lon"))[:] = pattern


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=40)
    ap.add_argument("--nlat", type=int, default=80)
    ap.add_argument("--nlon", type=int, default=180)
    args = ap.parse_args()
    ocean = Ocean(args.nlat, args.nlon, seed=11)
    fields = np.stack([ocean.day(d) for d in range(args.days)])
    anom = fields - climatology(fields)
    pattern, share = leading_pattern(anom)
    archive("sst_anomaly.nc", ocean, anom, pattern)
    print(f"days {args.days}  rms anomaly {np.sqrt((anom ** 2).mean()):.6f}  eof1 share {share:.6f}")


if __name__ == "__main__":
    main()
