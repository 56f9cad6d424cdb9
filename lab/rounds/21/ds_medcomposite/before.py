#!/usr/bin/env python
"""Cloud-free composite of a reflectance stack: clipped median of each pixel.

The stack (time, y, x) is stored in blocks that hold all times of a square of
pixels, and is worked through square by square.
"""
import sys

import netCDF4
import numpy as np

CLOUD = 7000
ROUNDS = 1


def squares(var):
    """Slices of the stored blocks, and the data of each."""
    _, by, bx = var.chunking()
    _, ny, nx = var.shape
    for y in range(0, ny, by):
        for x in range(0, nx, bx):
            sl = (slice(y, min(y + by, ny)), slice(x, min(x + bx, nx)))
            yield sl, var[:, sl[0], sl[1]]


def clipped_median(stack):
    """Median over time after rejecting clouds and outliers."""
    data = stack.astype(np.float32)
    data[stack > CLOUD] = np.nan
    for _ in range(ROUNDS):
        med = np.nanmedian(data, axis=0)
        mad = np.nanmedian(np.abs(data - med), axis=0)
        data[np.abs(data - med) > 4 * mad + 1] = np.nan
    return np.nanmedian(data, axis=0), np.isfinite(data).sum(axis=0)


def main(path):
    with netCDF4.Dataset(path) as nc:
        var = nc.variables["red"]
        var.set_auto_maskandscale(False)
        nt, ny, nx = var.shape
        composite = np.empty((ny, nx), np.float32)
        clear = np.empty((ny, nx), np.int16)
        for sl, stack in squares(var):
            composite[sl], clear[sl] = clipped_median(stack)

    with netCDF4.Dataset("composite.nc", "w") as out:
        out.createDimension("y", ny)
        out.createDimension("x", nx)
        out.createVariable("red", "f4", ("y", "x"))[:] = composite
        out.createVariable("clear", "i2", ("y", "x"))[:] = clear
    print(f"stack of {nt} images, {ny} x {nx}")
    print(f"composite mean {composite.mean(dtype='f8'):.4f}")
    print(f"clear views {clear.mean():.4f}, fewest {clear.min()}")


if __name__ == "__main__":
    main(sys.argv[1])
