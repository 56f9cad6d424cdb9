"""Synthetic earthquake catalogues with the ETAS model (Epidemic-Type
Aftershock Sequence), independent sequences one after the other; the
catalogue is used afterwards to test declustering algorithms."""
import csv
import sys

import numpy as np

MU = 2.5            # background events per day
K0, ALPHA = 0.24, 0.8
C, P = 0.01, 1.15
B_VALUE, M0, MMAX = 1.0, 2.5, 7.5
D_KM, Q = 1.2, 1.8
COLUMNS = ("sequence", "generation", "second", "x_m", "y_m", "mag")


class Catalogue:
    """Event list on disk, one row per earthquake."""

    def __init__(self, path):
        self._file = open(path, "w", buffering=1 << 18, newline="")
        self._rows = csv.writer(self._file)
        self._rows.writerow(COLUMNS)
        self.count = 0

    def add(self, row):
        self._rows.writerow(row)
        self.count += 1

    def close(self):
        self._file.close()


def magnitudes(rng, n):
    beta = B_VALUE * np.log(10)
    u = rng.random(n) * (1 - np.exp(-beta * (MMAX - M0)))
    return M0 - np.log(1 - u) / beta


def background(rng, days):
    n = rng.poisson(MU * days)
    return (np.sort(rng.random(n) * days), rng.normal(0, 40, n), rng.normal(0, 15, n),
            magnitudes(rng, n))


def offspring(rng, parents, days):
    """Direct aftershocks of one generation (Omori-Utsu in time, power law in space)."""
    t, x, y, m = parents
    n = rng.poisson(K0 * np.exp(ALPHA * (m - M0)))
    idx = np.repeat(np.arange(len(t)), n)
    wait = C * ((1 - rng.random(len(idx))) ** (1 / (1 - P)) - 1)
    r = D_KM * np.sqrt((1 - rng.random(len(idx))) ** (1 / (1 - Q)) - 1)
    phi = rng.random(len(idx)) * 2 * np.pi
    tt = t[idx] + wait
    keep = tt < days
    return (tt[keep], (x[idx] + r * np.cos(phi))[keep], (y[idx] + r * np.sin(phi))[keep],
            magnitudes(rng, int(keep.sum())))


def simulate(rng, sequence, days, catalogue):
    events, generation, largest = background(rng, days), 0, M0
    while len(events[0]):
        t, x, y = (np.rint(a * unit).astype(int).tolist()
                   for a, unit in zip(events, (86400, 1000, 1000)))
        m = np.round(events[3], 1).tolist()
        for i in range(len(t)):
            catalogue.add((sequence, generation, t[i], x[i], y[i], m[i]))
        largest = max(largest, max(m))
        events = offspring(rng, events, days)
        generation += 1
    return largest, generation


def main():
    nseq = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    days = float(sys.argv[2]) if len(sys.argv) > 2 else 2000.0
    rng = np.random.default_rng(1906)
    catalogue = Catalogue("etas.csv")
    largest, depth = M0, 0
    for s in range(nseq):
        m, g = simulate(rng, s, days, catalogue)
        largest, depth = max(largest, m), max(depth, g)
    catalogue.close()
    print("%d events, largest M %.2f, %d generations" % (catalogue.count, largest, depth))


if __name__ == "__main__":
    main()
