"""Energy balance model of the surface temperature on the globe.

Diffusive meridional and zonal heat transport, ice-albedo feedback, seasonal
insolation.  Monthly means go to NetCDF, one field per month.
"""
import argparse

import numpy as np
from netCDF4 import Dataset

SOLAR = 1361.0
A, B = 203.3, 2.09
HEAT_CAPACITY = 2.1e8
DIFFUSION = 0.55
STEPS_PER_MONTH = 30


class Planet:
    def __init__(self, nlat, nlon):
        self.lat = np.deg2rad(-90 + (np.arange(nlat) + 0.5) * 180 / nlat)
        self.lon = np.arange(nlon) * 2 * np.pi / nlon
        rng = np.random.default_rng(4)
        land = rng.normal(size=(nlat, nlon))
        spectrum = np.fft.rfft2(land)
        ky = np.abs(np.fft.fftfreq(nlat) * nlat)[:, None]
        kx = np.arange(nlon // 2 + 1)[None, :]
        self.land = np.fft.irfft2(spectrum * np.exp(-(ky**2 + kx**2) / 40.0), (nlat, nlon)) > 0
        self.capacity = np.where(self.land, 0.25, 1.0) * HEAT_CAPACITY
        self.temp = 15.0 - 35.0 * np.sin(self.lat)[:, None] ** 2 + np.zeros((nlat, nlon))

        k = np.fft.rfftfreq(nlon) * nlon
        self.zonal = np.exp(-2e-4 * k**2)[None, :]
        self.coslat = np.cos(self.lat)
        self.edge = np.cos(0.5 * (self.lat[1:] + self.lat[:-1]))[:, None]
        self.dlat = np.pi / nlat

    def insolation(self, day):
        decl = np.deg2rad(23.44) * np.sin(2 * np.pi * (day - 81) / 360)
        x = np.clip(-np.tan(self.lat) * np.tan(decl), -1, 1)
        h0 = np.arccos(x)
        q = h0 * np.sin(self.lat) * np.sin(decl) + np.cos(self.lat) * np.cos(decl) * np.sin(h0)
        return (SOLAR / np.pi) * np.clip(q, 0, None)[:, None]

    def step(self, day, dt):
        t = self.temp
        albedo = np.where(t < -10.0, 0.6, np.where(self.land, 0.32, 0.28))
        flux = np.zeros((t.shape[0] + 1, t.shape[1]))
        flux[1:-1] = self.edge * np.diff(t, axis=0) / self.dlat
        transport = DIFFUSION * np.diff(flux, axis=0) / (self.dlat * self.coslat[:, None])
        heating = self.insolation(day) * (1 - albedo) - (A + B * t)
        t = t + dt * (heating + np.clip(transport, -400, 400)) / self.capacity
        self.temp = np.fft.irfft(np.fft.rfft(t, axis=1) * self.zonal, t.shape[1], axis=1)


def create(path, planet):
    ds = Dataset(path, "w")
    nlat, nlon = planet.temp.shape
    ds.createDimension("month", None)
    ds.createDimension("lat", nlat)
    ds.createDimension("lon", nlon)
    lat = ds.createVariable("lat", "f8", ("lat",))
    lat.units = "degrees_north"
    lat[:] = np.rad2deg(planet.lat)
    lon = ds.createVariable("lon", "f8", ("lon",))
    lon.units = "degrees_east"
    lon[:] = np.rad2deg(planet.lon)
    ts = ds.createVariable("ts", "f4", ("month", "lat", "lon"), chunksizes=(1, nlat, nlon))
    ts.units = "degC"
    return ds, ts


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--months", type=int, default=24)
    ap.add_argument("--nlat", type=int, default=96)
    ap.add_argument("--nlon", type=int, default=192)
    args = ap.parse_args()

    planet = Planet(args.nlat, args.nlon)
    ds, ts = create("monthly.nc", planet)
    weight = planet.coslat / planet.coslat.sum()
    for month in range(args.months):
        mean = np.zeros_like(planet.temp)
        for s in range(STEPS_PER_MONTH):
            planet.step(month * 30 + s, 86400.0 / 2)
            mean += planet.temp
        mean /= STEPS_PER_MONTH
        ts[month] = mean
        if month % 12 == 11:
            print(f"year {month // 12 + 1}: global mean {weight @ mean.mean(1):.5f}, "
                  f"ice {100 * float(weight @ (mean < -10).mean(1)):.3f} %")
    ds.close()


if __name__ == "__main__":
    main()
