"""Pair statistics (Ripley K) of trees on forest inventory plots."""
import json
import os
import sqlite3
import sys

import numpy as np

RADII = np.arange(1.0, 26.0, 0.5)


def read_plot(path):
    rows = []
    with open(path) as f:
        for line in f:
            rows.append([float(v) for v in line.split(",")])
    return np.array(rows)


def read_site_notes(path):
    try:
        with open(path) as f:
            return json.load(f)
    except FileNotFoundError:
        return {"slope": 0.0}


def ripley(points, radii):
    d = np.hypot(points[:, None, 0] - points[None, :, 0], points[:, None, 1] - points[None, :, 1])
    np.fill_diagonal(d, 1e9)
    n = len(points)
    return np.array([(d < r).sum() for r in radii]) * 1e4 / (n * (n - 1.0))


def envelope(rng, n, radii, trials):
    low = np.full(len(radii), np.inf)
    high = np.zeros(len(radii))
    for _ in range(trials):
        k = ripley(rng.uniform(0, 100, (n, 2)), radii)
        low = np.minimum(low, k)
        high = np.maximum(high, k)
    return low, high


def store(db, plot, radii, observed, low, high):
    db.executemany("insert into ripley values (?,?,?,?,?)",
                   [(plot, float(r), float(o), float(a), float(b))
                    for r, o, a, b in zip(radii, observed, low, high)])


def main():
    trials = int(sys.argv[1])
    if os.path.exists("ripley.db"):
        os.remove("ripley.db")
    db = sqlite3.connect("ripley.db")
    db.execute("pragma synchronous=off")
    db.execute("create table ripley (plot text, radius real, k real, low real, high real)")
    rng = np.random.default_rng(1)
    clustered = 0
    for name in sorted(os.listdir("plots")):
        if not name.endswith(".csv"):
            continue
        stem = os.path.splitext(name)[0]
        trees = read_plot(os.path.join("plots", name))
        notes = read_site_notes(os.path.join("plots", stem + ".json"))
        points = trees[:, :2] * np.array([1.0, np.cos(np.radians(notes["slope"]))])
        observed = ripley(points, RADII)
        low, high = envelope(rng, len(points), RADII, trials)
        store(db, stem, RADII, observed, low, high)
        clustered += int((observed > high).sum() > len(RADII) // 2)
    db.commit()
    db.close()
    print("clustered plots", clustered)


if __name__ == "__main__":
    main()
