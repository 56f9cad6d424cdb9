#!/usr/bin/env python3
"""Daily and monthly aerosol optical depth from an AERONET level 1.5 export."""
import argparse
import csv
import sys

import numpy as np
import pandas as pd

DOY = "Day_of_Year(Fraction)"
MONTH_STARTS = np.array([1, 32, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335])
HEADER_LINES = 6
FILL = -999.0


def site_name(path):
    with open(path, encoding="latin-1") as f:
        first = f.readline()
        if not first.startswith("AERONET Version 3"):
            raise ValueError("not an AERONET version 3 file")
        return f.readline().strip()


def number(text):
    """Value of a cell; text stays text, the fill value becomes NaN."""
    try:
        value = float(text)
    except ValueError:
        return text
    return np.nan if value == FILL else value


def read_level15(path, channel):
    with open(path, newline="", encoding="latin-1") as f:
        for _ in range(HEADER_LINES):
            f.readline()
        rows = csv.reader(f)
        names = next(rows)
        if channel not in names or DOY not in names:
            raise KeyError(f"no channel {channel}; have {[c for c in names if c.startswith('AOD')]}")
        columns = {name: [] for name in names}
        for row in rows:
            for name, text in zip(names, row):
                columns[name].append(number(text))
    return pd.DataFrame({"doy": columns[DOY], "aod": columns[channel]}).dropna()


def screen(table, limit):
    """Drop spikes: more than `limit` robust deviations from the running median."""
    med = table["aod"].rolling(15, center=True, min_periods=1).median()
    dev = (table["aod"] - med).abs()
    return table[dev <= limit * 1.4826 * dev.median()]


def daily(table, minimum):
    g = table.groupby(table["doy"].astype(int))["aod"]
    d = g.agg(["count", "mean", "std"])
    return d[d["count"] >= minimum]


def monthly(days):
    month = np.searchsorted(MONTH_STARTS, days.index.to_numpy(), side="right")
    return days["mean"].groupby(month).agg(["count", "mean", "max"])


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("export")
    ap.add_argument("--channel", default="AOD_500nm")
    ap.add_argument("--spike", type=float, default=6.0)
    ap.add_argument("--min-obs", type=int, default=3)
    ap.add_argument("--out", default="daily_aod.csv")
    a = ap.parse_args()
    try:
        site = site_name(a.export)
        raw = read_level15(a.export, a.channel)
    except (OSError, ValueError, KeyError) as e:
        sys.exit(f"{a.export}: {e}")
    good = screen(raw, a.spike)
    days = daily(good, a.min_obs)
    days.round(5).to_csv(a.out, index_label="doy")
    print(f"{site}: {len(raw)} observations, {len(good)} kept, {len(days)} days")
    for m, r in monthly(days).iterrows():
        print(f"  month {m:2d}  days {int(r['count']):2d}  mean {r['mean']:.4f}  max {r['max']:.4f}")


if __name__ == "__main__":
    main()
