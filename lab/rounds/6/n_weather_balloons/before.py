"""Yearly temperature statistics of chosen balloon stations."""
import sys

import numpy as np

STATIONS = 160
SAMPLES = 25600
MONTHS = range(1, 13)


def month_series(month, station):
    archive = np.fromfile("soundings_%02d.dat" % month, dtype="<i2")
    return archive.reshape(STATIONS, SAMPLES)[station]


def to_kelvin(raw):
    return raw.astype(np.float32) / 1024.0 + 250.0


def lapse(series, levels=128):
    profile = series.reshape(-1, levels).mean(axis=0)
    height = np.arange(levels) * 0.25
    slope, _ = np.polyfit(height, profile, 1)
    return slope


def daily_extremes(series, per_day=800):
    days = series[: len(series) // per_day * per_day].reshape(-1, per_day)
    return days.min(axis=1), days.max(axis=1)


def station_year(station):
    lows, highs, lapses = [], [], []
    for month in MONTHS:
        series = to_kelvin(month_series(month, station))
        low, high = daily_extremes(series)
        lows.append(low)
        highs.append(high)
        lapses.append(lapse(series))
    return {
        "station": station,
        "coldest": float(np.concatenate(lows).min()),
        "warmest": float(np.concatenate(highs).max()),
        "range": float((np.concatenate(highs) - np.concatenate(lows)).mean()),
        "lapse": float(np.mean(lapses)),
    }


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 110
    rows = [station_year(station) for station in range(3, 3 + wanted)]
    with open("stations.csv", "w") as out:
        out.write("station,coldest,warmest,range,lapse\n")
        for row in rows:
            out.write("%(station)d,%(coldest).3f,%(warmest).3f,%(range).3f,%(lapse).5f\n" % row)
    print("%d stations, mean range %.3f K" % (len(rows), np.mean([r["range"] for r in rows])))


if __name__ == "__main__":
    main()
