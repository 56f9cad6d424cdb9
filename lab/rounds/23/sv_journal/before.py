#!/usr/bin/env python3
"""Period search for variable stars with a resumable job database.

usage: periods.py lightcurves.csv periods.db
The table of jobs is the journal of the run: stars are worked on in blocks, and a block is
committed when it is done, so that a restarted run takes up where the last one stopped.
"""
import csv
import os
import sqlite3
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")     # one core per job on the cluster

import numpy as np

FREQ = np.linspace(0.02, 6.0, 3000)
BLOCK = 16


def load(path):
    stars = {}
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            stars.setdefault(row["star"], []).append((float(row["mjd"]), float(row["mag"]), float(row["err"])))
    return {name: np.array(rows) for name, rows in stars.items()}


def periodogram(t, y, err):
    """Lomb-Scargle power on the frequency grid (weighted, mean subtracted)."""
    w = 1 / err ** 2
    w /= w.sum()
    y = y - (w * y).sum()
    arg = 2 * np.pi * np.outer(FREQ, t - t[0])
    c, s = np.cos(arg), np.sin(arg)
    yc, ys = c @ (w * y), s @ (w * y)
    cc, ss, cs = (c * c) @ w, (s * s) @ w, (c * s) @ w
    det = np.maximum(cc * ss - cs * cs, 1e-12)
    return (ss * yc ** 2 + cc * ys ** 2 - 2 * cs * yc * ys) / (det * (w * y * y).sum())


class Journal:
    def __init__(self, path):
        self.con = sqlite3.connect(path)
        self.con.execute("PRAGMA synchronous=FULL")
        self.con.execute("CREATE TABLE IF NOT EXISTS job (star TEXT PRIMARY KEY, period REAL, power REAL, n INTEGER)")
        self.con.commit()

    def pending(self, names):
        done = {row[0] for row in self.con.execute("SELECT star FROM job")}
        return [n for n in names if n not in done]

    def record(self, rows):
        with self.con:
            self.con.executemany("INSERT INTO job VALUES (?,?,?,?)", rows)

    def summary(self):
        return self.con.execute("SELECT count(*), avg(power), min(period), max(period) FROM job WHERE power > 0.5").fetchone()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    stars = load(sys.argv[1])
    journal = Journal(sys.argv[2])
    todo = journal.pending(sorted(stars))
    for k in range(0, len(todo), BLOCK):
        rows = []
        for name in todo[k:k + BLOCK]:
            lc = stars[name]
            power = periodogram(lc[:, 0], lc[:, 1], lc[:, 2])
            best = int(power.argmax())
            rows.append((name, 1 / FREQ[best], float(power[best]), len(lc)))
        journal.record(rows)
    n, mean, low, high = journal.summary()
    print(f"{len(todo)} stars searched, {n} periodic, mean power {mean:.4f}, periods {low:.4f} to {high:.4f} d")


if __name__ == "__main__":
    main()
