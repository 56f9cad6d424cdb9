"""Variability statistics from a photometric survey catalogue.

The catalogue holds one fixed-size record per star (position, six epochs of
magnitudes, three noise terms).  Random pairs of stars are drawn, and the
structure function of the magnitude differences is estimated as function of
the angular separation.
"""
import os
import sys

import numpy as np

N_PAIRS = int(sys.argv[1]) if len(sys.argv) > 1 else 160000
N_BINS = int(sys.argv[2]) if len(sys.argv) > 2 else 18
CATALOGUE = "survey.dat"
RECORD = np.dtype([("ra", "<f8"), ("dec", "<f8"), ("mag", "<f4", 6), ("noise", "<f8", 3)])
SIZE = RECORD.itemsize


class Catalogue:
    """Access to single stars by their number."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)
        self.n = os.fstat(self.fd).st_size // SIZE

    def star(self, i):
        return os.pread(self.fd, SIZE, i * SIZE)


def unit_vectors(ra, dec):
    ra, dec = np.deg2rad(ra), np.deg2rad(dec)
    return np.stack([np.cos(dec) * np.cos(ra), np.cos(dec) * np.sin(ra),
                     np.sin(dec)], axis=-1)


def fetch(cat, numbers):
    return np.frombuffer(b"".join([cat.star(i) for i in numbers.tolist()]), RECORD)


def structure_function(a, b, edges):
    """Mean squared magnitude difference, per bin of separation."""
    ua, ub = unit_vectors(a["ra"], a["dec"]), unit_vectors(b["ra"], b["dec"])
    sep = np.degrees(np.arccos(np.clip(np.sum(ua * ub, axis=1), -1, 1)))
    dm2 = np.mean((a["mag"] - b["mag"]) ** 2, axis=1)
    dm2 -= 0.01 * (a["noise"][:, 0] ** 2 + b["noise"][:, 0] ** 2)
    which = np.digitize(sep, edges) - 1
    out = np.zeros(len(edges) - 1)
    num = np.zeros(len(edges) - 1, int)
    for k in range(len(out)):
        sel = which == k
        num[k] = sel.sum()
        out[k] = dm2[sel].mean() if num[k] else np.nan
    return out, num


def main():
    rng = np.random.default_rng(1604)
    cat = Catalogue(CATALOGUE)
    pairs = rng.integers(0, cat.n, (2, N_PAIRS))
    a = fetch(cat, pairs[0])
    b = fetch(cat, pairs[1])
    edges = np.linspace(0, 180, N_BINS + 1)
    sf, num = structure_function(a, b, edges)
    with open("structure.txt", "w") as f:
        for k in range(N_BINS):
            f.write("%6.1f %6.1f %8d %.5f\n" % (edges[k], edges[k + 1], num[k], sf[k]))
    print("stars %d  pairs %d  mean SF %.5f" % (cat.n, N_PAIRS, np.nanmean(sf)))


if __name__ == "__main__":
    main()
