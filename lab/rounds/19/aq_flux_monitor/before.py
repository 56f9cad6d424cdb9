#!/usr/bin/env python3
"""Live photometry monitor: light curves of the stars in a field are filled
row by row, one for each exposure, in an HDF5 file that a viewer looks at."""
import argparse

import h5py
import numpy as np


class LightCurves:
    """flux[time, star] and a time column for the planned exposures."""

    def __init__(self, path, n_plan, n_star, rows_per_chunk=100):
        self.f = h5py.File(path, "w")
        self.flux = self.f.create_dataset(
            "flux", shape=(n_plan, n_star), dtype="f4", fillvalue=np.nan,
            chunks=(rows_per_chunk, n_star), compression="lzf", shuffle=True)
        self.time = self.f.create_dataset("time", shape=(n_plan,), dtype="f8")
        self.rows_per_chunk = rows_per_chunk
        self.n = 0

    def append(self, t, row):
        self.flux[self.n] = row
        self.time[self.n] = t
        self.n += 1
        self.f.flush()

    def close(self):
        self.f.attrs["exposures"] = self.n
        self.f.close()


class Field:
    """Stars with a period, a night of exposures with clouds."""

    def __init__(self, n_star, seed=14):
        self.rng = np.random.default_rng(seed)
        self.base = self.rng.lognormal(6, 1, n_star)
        self.period = self.rng.uniform(0.02, 0.4, n_star)
        self.amp = self.rng.beta(1, 12, n_star)

    def expose(self, t):
        cloud = 1 - 0.3 * np.sin(11 * t) ** 8
        signal = self.base * (1 + self.amp * np.sin(2 * np.pi * t / self.period))
        return (cloud * signal + self.rng.normal(0, np.sqrt(self.base))).astype("f4")


def detrend(flux):
    """divide by the median star of each exposure"""
    rel = flux / flux.mean(axis=0)
    return rel / np.median(rel, axis=1, keepdims=True)


def variability(path):
    with h5py.File(path, "r") as f:
        flux = f["flux"][:].astype("f8")
        time = f["time"][:]
    rel = detrend(flux)
    scatter = rel.std(axis=0)
    step = np.abs(np.diff(rel, axis=0)).mean(axis=0)
    return time, scatter, scatter / step


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("exposures", type=int)
    ap.add_argument("--stars", type=int, default=2000)
    args = ap.parse_args()

    field = Field(args.stars)
    curves = LightCurves("night.h5", args.exposures, args.stars)
    for i in range(args.exposures):
        t = i * 20.0 / 86400
        curves.append(t, field.expose(t))
    curves.close()

    time, scatter, ratio = variability("night.h5")
    best = np.argsort(-ratio)[:3]
    print(f"{len(time)} exposures over {time[-1] * 24:.3f} h, median scatter {np.median(scatter):.8f}")
    for b in best:
        print(f"star {b}: ratio {ratio[b]:.5f}, scatter {scatter[b]:.6f}")


if __name__ == "__main__":
    main()
