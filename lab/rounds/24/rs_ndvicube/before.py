#!/usr/bin/env python3
"""NDVI time series and season dates of a few field plots from a Sentinel-2 cube."""
import argparse
import csv
import sys

import netCDF4
import numpy as np

CLEAR = (4, 5, 6)          # vegetation, bare soil, water in SCL


def read_plots(path):
    with open(path, newline="") as f:
        return [(r["plot"], int(r["row"]), int(r["col"])) for r in csv.DictReader(f)]


def extent(plots, buffer):
    rows = [p[1] for p in plots]
    cols = [p[2] for p in plots]
    return (slice(min(rows) - buffer, max(rows) + buffer + 1),
            slice(min(cols) - buffer, max(cols) + buffer + 1))


def read_band(nc, name, window):
    """Band of the study area, over time."""
    band = nc.variables[name][:]
    return band[:, window[0], window[1]]


def ndvi_cube(nc, window):
    red = read_band(nc, "B04", window)
    nir = read_band(nc, "B08", window)
    scl = read_band(nc, "SCL", window)
    ndvi = np.ma.filled((nir - red) / (nir + red), np.nan)
    ndvi[~np.isin(scl, CLEAR)] = np.nan
    return ndvi


def plot_series(ndvi, window, row, col, buffer):
    r, c = row - window[0].start, col - window[1].start
    block = ndvi[:, r - buffer:r + buffer + 1, c - buffer:c + buffer + 1]
    return np.nanmedian(block.reshape(len(block), -1), axis=1)


def season(days, series):
    """Start and end of season at half of the amplitude."""
    ok = np.isfinite(series)
    smooth = np.convolve(np.interp(days, days[ok], series[ok]), np.ones(5) / 5, mode="same")
    half = (smooth[2:-2].min() + smooth[2:-2].max()) / 2
    above = np.flatnonzero(smooth > half)
    return (days[above[0]], days[above[-1]]) if above.size else (np.nan, np.nan)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("cube")
    ap.add_argument("plots")
    ap.add_argument("--buffer", type=int, default=2)
    ap.add_argument("--out", default="ndvi_series.csv")
    a = ap.parse_args()
    try:
        plots = read_plots(a.plots)
        nc = netCDF4.Dataset(a.cube)
    except (OSError, KeyError, ValueError) as e:
        sys.exit(str(e))
    with nc:
        days = np.asarray(nc.variables["time"][:])
        window = extent(plots, a.buffer)
        ndvi = ndvi_cube(nc, window)
    with open(a.out, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["plot"] + [f"{d:g}" for d in days])
        for name, row, col in plots:
            s = plot_series(ndvi, window, row, col, a.buffer)
            w.writerow([name] + [f"{v:.4f}" for v in s])
            start, end = season(days, s)
            print(f"{name}: mean {np.nanmean(s):.4f}, season day {start:g} to {end:g}")


if __name__ == "__main__":
    main()
