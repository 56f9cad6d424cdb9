"""Bootstrap error of the colour-redshift relation of a galaxy catalogue.

Draws samples with replacement from the catalogue, bins the rest-frame colour
in redshift and estimates the scatter of the binned means.
"""
import math
import os
import struct
import sys

import numpy as np

CATALOGUE = "galaxies.cat"
RECORD = struct.Struct("<ddf5ffq")     # ra, dec, z, ugriz, size, id
N_BINS = 12
Z_MAX = 1.5
R_LIMIT = 18.5                         # magnitude limit of the sample
MIN_LATITUDE = 20.0                    # degrees from the galactic plane

# north galactic pole (J2000)
RA_NGP, DEC_NGP = math.radians(192.859), math.radians(27.128)


def galactic_latitude(ra, dec):
    ra, dec = math.radians(ra), math.radians(dec)
    s = (math.sin(DEC_NGP) * math.sin(dec)
         + math.cos(DEC_NGP) * math.cos(dec) * math.cos(ra - RA_NGP))
    return math.degrees(math.asin(max(-1.0, min(1.0, s))))


def rest_colour(g, r, z):
    """g - r with a linear k-correction."""
    return (g - r) - 0.6 * z + 0.1 * z * z


class Catalogue:
    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self.fd).st_size

    def galaxy(self, index):
        raw = os.pread(self.fd, RECORD.size, index * RECORD.size)
        return RECORD.unpack(raw)

    def __len__(self):
        return self.size // RECORD.size


def one_sample(catalogue, n_draw, rng):
    total = [0.0] * N_BINS
    count = [0] * N_BINS
    for index in rng.integers(0, len(catalogue), n_draw).tolist():
        ra, dec, z, u, g, r, i, zmag, size, ident = catalogue.galaxy(index)
        if r > R_LIMIT or z >= Z_MAX:
            continue
        if abs(galactic_latitude(ra, dec)) < MIN_LATITUDE:
            continue
        k = int(z / Z_MAX * N_BINS)
        total[k] += rest_colour(g, r, z)
        count[k] += 1
    return [t / c if c else float("nan") for t, c in zip(total, count)]


def main():
    n_samples = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    n_draw = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    rng = np.random.default_rng(1)
    catalogue = Catalogue(CATALOGUE)
    means = np.array([one_sample(catalogue, n_draw, rng) for _ in range(n_samples)])
    centre = (np.arange(N_BINS) + 0.5) * Z_MAX / N_BINS
    table = np.column_stack([centre, np.nanmean(means, axis=0), np.nanstd(means, axis=0)])
    np.savetxt("colour_redshift.txt", table, fmt="%.5f", header="z  <g-r>  error")
    print(f"{len(catalogue)} galaxies, {n_samples} samples, "
          f"median error {np.median(table[:, 2]):.5f}")


if __name__ == "__main__":
    main()
