"""Birch pollen season: hourly counts of a station network.

The stations deliver one file per day; corrected days come again with a higher
version number.  For every station the newest version of each day is taken,
the season curve is smoothed and start and peak of the season are determined.
"""
import os
import sys

import numpy as np

N_STATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 30
N_DAYS = int(sys.argv[2]) if len(sys.argv) > 2 else 40
FOLDER = "counts"
SEASON_START = 0.05      # fraction of the annual pollen integral
BOOTSTRAP = 60


def scan_folder():
    """Highest version of each station and day."""
    newest = {}
    for name in os.listdir(FOLDER):
        stem, version = name[:-4].rsplit("_v", 1)
        newest[stem] = max(newest.get(stem, 0), int(version))
    return newest


NEWEST = scan_folder()


def newest_file(station, day):
    """Path of the highest version of this station and day."""
    stem = "st%02d_day%03d" % (station, day)
    return os.path.join(FOLDER, "%s_v%d.bin" % (stem, NEWEST[stem]))


def station_series(station):
    series = np.empty((N_DAYS, 24))
    for day in range(N_DAYS):
        series[day] = np.fromfile(newest_file(station, day), "<f8")
    return series


def smooth(daily, width=2.0):
    d = np.arange(len(daily))
    k = np.exp(-0.5 * ((d[:, None] - d[None, :]) / width) ** 2)
    return (k @ daily) / k.sum(axis=1)


def season(daily):
    """Start day (5 % criterion) and peak day."""
    curve = smooth(daily)
    c = np.cumsum(curve)
    return np.searchsorted(c, SEASON_START * c[-1]), int(np.argmax(curve))


def bootstrap_start(series, rng):
    """Spread of the start day when hours are resampled."""
    starts = []
    for _ in range(BOOTSTRAP):
        pick = rng.integers(0, 24, 24)
        starts.append(season(series[:, pick].sum(axis=1))[0])
    return np.std(starts)


def main():
    rng = np.random.default_rng(8)
    total = 0.0
    lines = []
    for st in range(N_STATIONS):
        series = station_series(st)
        start, peak = season(series.sum(axis=1))
        sd = bootstrap_start(series, rng)
        total += series.sum()
        lines.append("%02d  start %3d +- %.2f  peak %3d" % (st, start, sd, peak))
    with open("season.txt", "w") as f:
        f.write("\n".join(lines) + "\n")
    print("stations %d  pollen integral %.1f" % (N_STATIONS, total))


if __name__ == "__main__":
    main()
