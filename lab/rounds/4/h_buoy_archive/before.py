"""Archive of wave-buoy records: writes the season, then makes buoy statistics.

usage: before.py HOURS BUOYS
"""
import sys

import h5py
import numpy as np

BLOCK_HOURS = 250
ARCHIVE = "season.h5"


def wave_heights(rng, start_hour, hours, buoys):
    """Significant wave height of a block of hours, one column for each buoy."""
    t = np.arange(start_hour, start_hour + hours)[:, None]
    phase = np.linspace(0.0, 3.0, buoys)[None, :]
    swell = 1.8 + 0.9 * np.sin(2 * np.pi * t / 170.0 + phase)
    tide = 0.15 * np.sin(2 * np.pi * t / 12.42 + 2.0 * phase)
    return (swell + tide + rng.gamma(1.5, 0.15, (hours, buoys))).astype(np.float32)


def create_archive(store, hours, buoys):
    heights = store.create_dataset("wave_height", (hours, buoys), dtype="f4", chunks=(1, 8))
    heights.attrs["units"] = "m"
    store.create_dataset("hour", data=np.arange(hours, dtype=np.int32))
    store.create_dataset("buoy", data=np.arange(buoys, dtype=np.int32))
    return heights


def record_season(hours, buoys):
    rng = np.random.default_rng(21)
    with h5py.File(ARCHIVE, "w") as store:
        heights = create_archive(store, hours, buoys)
        for start in range(0, hours, BLOCK_HOURS):
            stop = min(start + BLOCK_HOURS, hours)
            heights[start:stop] = wave_heights(rng, start, stop - start, buoys)


def return_level(maxima, years):
    """Gumbel fit by moments."""
    scale = maxima.std() * np.sqrt(6.0) / np.pi
    location = maxima.mean() - 0.5772 * scale
    return location - scale * np.log(-np.log(1.0 - 1.0 / years))


def buoy_statistics(group=32):
    with h5py.File(ARCHIVE, "r") as store:
        heights = store["wave_height"]
        hours, buoys = heights.shape
        table = []
        for first in range(0, buoys, group):
            series = heights[:, first:first + group]
            days = series[:hours // 24 * 24].reshape(-1, 24, series.shape[1]).max(axis=1)
            for k in range(series.shape[1]):
                table.append((series[:, k].mean(dtype=np.float64), np.percentile(series[:, k], 95),
                              return_level(days[:, k].astype(np.float64), 50.0)))
    return np.array(table)


def main():
    hours, buoys = int(sys.argv[1]), int(sys.argv[2])
    record_season(hours, buoys)
    table = buoy_statistics()
    np.savetxt("buoys.txt", table, fmt="%.5f", header="mean p95 level50")
    print(f"mean height {table[:, 0].mean():.4f} m, largest 50-day level {table[:, 2].max():.3f} m")


if __name__ == "__main__":
    main()
