#!/usr/bin/env python
"""Per-pixel trend and seasonal amplitude of an NDVI cube (time, y, x).

The cube is worked through in strips of a few lines so that the fit of a
strip stays small in memory.  Amplitude and trend maps are summarised at the
end and saved for the mapping notebook.
"""
import sys

import netCDF4
import numpy as np

LINES = 6          # image lines in one strip
PERIOD = 56.5      # acquisitions per season


def design(nt):
    """Columns of the harmonic model: mean, trend, sine and cosine."""
    t = np.arange(nt, dtype=np.float32)
    w = 2 * np.pi * t / PERIOD
    return np.stack([np.ones(nt, np.float32), t / nt,
                     np.sin(w), np.cos(w)], axis=1).astype(np.float32)


def fit(strip, pinv):
    """Least-squares coefficients for a strip (time, lines, x)."""
    nt, nl, nx = strip.shape
    flat = strip.reshape(nt, nl * nx).astype(np.float32)
    coef = pinv @ flat
    return coef.reshape(4, nl, nx)


def strips(var):
    """The strips of the cube, from north to south."""
    nt, ny, nx = var.shape
    cube = np.empty((nt, ny, nx), var.dtype)
    for t in range(nt):          # one stored image after the other
        cube[t] = var[t]
    for y in range(0, ny, LINES):
        yield y, cube[:, y:y + LINES, :]


def main(path):
    nc = netCDF4.Dataset(path)
    var = nc.variables["ndvi"]
    var.set_auto_maskandscale(False)
    nt, ny, nx = var.shape

    pinv = np.linalg.pinv(design(nt)).astype(np.float32)
    trend = np.empty((ny, nx), np.float32)
    amplitude = np.empty((ny, nx), np.float32)
    for y, strip in strips(var):
        c = fit(strip, pinv)
        trend[y:y + LINES] = c[1]
        amplitude[y:y + LINES] = np.hypot(c[2], c[3])
    scale = float(var.factor)
    nc.close()

    np.save("trend.npy", trend * scale)
    np.save("amplitude.npy", amplitude * scale)
    print(f"{ny} x {nx} pixels, {nt} acquisitions")
    print(f"trend     median {np.median(trend) * scale:.5f}")
    print(f"amplitude median {np.median(amplitude) * scale:.5f}")
    print(f"greening pixels {int((trend > 0).sum())}")


if __name__ == "__main__":
    main(sys.argv[1])
