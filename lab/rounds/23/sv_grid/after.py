#!/usr/bin/env python3
"""Grid satellite swaths of sea-surface temperature onto daily maps (NetCDF, CF style).

The file set-up (dimensions, coordinate variables, attributes, unlimited time) follows the
netCDF4-python tutorial; the code is our own.

usage: gridsst.py swath.bin sst_daily.nc
"""
import struct
import sys

import numpy as np
from netCDF4 import Dataset, date2num
from datetime import datetime, timedelta

NLAT, NLON = 180, 360
FILL = np.float32(-999.0)
REC = struct.Struct("<HHI")            # day, scan number, number of samples
SAMPLE = np.dtype([("lat", "<f4"), ("lon", "<f4"), ("sst", "<f4"), ("quality", "u1"), ("pad", "u1", 3)])


def scans(path):
    with open(path, "rb") as f:
        if f.read(8) != b"SWATH01\0":
            raise ValueError(f"{path}: not a swath file")
        while head := f.read(REC.size):
            day, number, n = REC.unpack(head)
            yield day, number, np.frombuffer(f.read(n * SAMPLE.itemsize), dtype=SAMPLE)


def create(path, ndays):
    nc = Dataset(path, "w", format="NETCDF4")
    nc.title = "SST gridded from swaths"
    nc.createDimension("time", None)
    nc.createDimension("lat", NLAT)
    nc.createDimension("lon", NLON)
    t = nc.createVariable("time", "f8", ("time",))
    t.units = "days since 2026-01-01 00:00:00"
    nc.createVariable("lat", "f4", ("lat",))[:] = np.arange(-89.5, 90, 1)
    nc.createVariable("lon", "f4", ("lon",))[:] = np.arange(-179.5, 180, 1)
    sst = nc.createVariable("sst", "f4", ("time", "lat", "lon"), fill_value=FILL, chunksizes=(1, NLAT, NLON))
    sst.units = "K"
    sst.set_auto_mask(False)
    t[:] = date2num([datetime(2026, 1, 1) + timedelta(days=d) for d in range(ndays)], t.units)
    return nc, sst


def accumulate(path):
    total, count = {}, {}
    for day, _, s in scans(path):
        good = s[(s["quality"] >= 3) & (s["sst"] > 260) & (s["sst"] < 310)]
        j = np.clip((good["lat"] + 90).astype(int), 0, NLAT - 1)
        i = np.clip((good["lon"] + 180).astype(int), 0, NLON - 1)
        if day not in total:
            total[day] = np.zeros((NLAT, NLON))
            count[day] = np.zeros((NLAT, NLON), dtype=int)
        np.add.at(total[day], (j, i), good["sst"])
        np.add.at(count[day], (j, i), 1)
    return total, count


def write_day(sst, record, total, count):
    """Cells with at least two observations get a value; the others stay at the fill value."""
    use = count >= 2
    day = np.full((NLAT, NLON), FILL, dtype="f4")
    day[use] = total[use] / count[use]
    sst[record] = day
    return int(use.sum())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    total, count = accumulate(sys.argv[1])
    nc, sst = create(sys.argv[2], len(total))
    filled = [write_day(sst, k, total[d], count[d]) for k, d in enumerate(sorted(total))]
    nc.close()
    with Dataset(sys.argv[2]) as nc:
        for k, n in enumerate(filled):
            day = nc["sst"][k]
            print(f"day {k}: {n} cells, mean {day.mean():.4f} K, min {day.min():.3f}, max {day.max():.3f}")


if __name__ == "__main__":
    main()
