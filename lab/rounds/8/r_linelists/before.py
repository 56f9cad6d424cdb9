"""Synthetic stellar spectra from an atomic line database with release overlays.

Every line list may be overridden by the user, by a local copy or by a patch
release; the newest release that has the list wins.
"""
import sys
import os
import struct

import numpy as np

SPECIES = ["Fe1", "Fe2", "Ti1", "Ti2", "Ca1", "Mg1",
           "Si1", "Ni1", "Cr1", "Na1", "Al1", "Mn1"]
RELEASES = (["user", "local", "patch_2024b", "patch_2024a"]
            + ["vald_%d" % y for y in range(2023, 1995, -1)])
BANDS = 8
C_KMS = 299792.458


class LineDatabase:
    """Access to the line lists below one root folder."""

    def __init__(self, root, releases):
        self.root = root
        self.releases = releases
        self._parsed = {}

    def _open_newest(self, species, band):
        name = "%s_b%d.lin" % (species, band)
        for release in self.releases:
            try:
                return release, open(os.path.join(self.root, release, name), "rb")
            except FileNotFoundError:
                continue
        raise LookupError("no line list " + name)

    def lines(self, species, band):
        """Array (n, 3): wavelength, log gf, excitation energy."""
        release, stream = self._open_newest(species, band)
        with stream:
            key = (release, species, band)
            if key not in self._parsed:
                raw = stream.read()
                rows = [struct.unpack_from("<3d", raw, o) for o in range(0, len(raw), 24)]
                self._parsed[key] = np.array(rows)
        return self._parsed[key]


def abundances(metallicity, rng):
    base = {sp: metallicity + 0.05 * rng.standard_normal() for sp in SPECIES}
    base["Mg1"] += 0.2
    base["Si1"] += 0.15
    return base


def line_depths(lines, teff, abundance):
    theta = 5040.0 / teff
    strength = 10.0 ** (lines[:, 1] + abundance - theta * lines[:, 2] + 1.4)
    return strength / (1.0 + strength)


def add_lines(flux, grid, lines, depth, vsini):
    """Subtract box-broadened profiles from the continuum."""
    step = grid[1] - grid[0]
    centre = ((lines[:, 0] - grid[0]) / step).astype(int)
    width = max(1, int(lines[0, 0] * vsini / C_KMS / step))
    for shift in range(-width, width + 1):
        pos = np.clip(centre + shift, 0, len(flux) - 1)
        np.subtract.at(flux, pos, depth / (2 * width + 1))


def synthesise(db, teff, metallicity, vsini, rng):
    grid = np.linspace(4000.0, 8100.0, 8000)
    flux = np.ones_like(grid)
    abund = abundances(metallicity, rng)
    for band in range(BANDS):
        for species in SPECIES:
            lines = db.lines(species, band)
            depth = line_depths(lines, teff, abund[species])
            add_lines(flux, grid, lines, depth, vsini)
    return np.clip(flux, 0.0, 1.0)


def equivalent_width(flux):
    return float(np.sum(1.0 - flux) * 4100.0 / len(flux))


def main():
    nstars = int(sys.argv[1])
    rng = np.random.default_rng(77)
    db = LineDatabase("linedb", RELEASES)
    widths = []
    for star in range(nstars):
        teff = 4500.0 + 2500.0 * rng.random()
        metallicity = -1.5 + 1.8 * rng.random()
        flux = synthesise(db, teff, metallicity, 5.0 + 20 * rng.random(), rng)
        widths.append(equivalent_width(flux))
    np.save("widths.npy", np.array(widths))
    print("stars %d  mean equivalent width %.6f A" % (nstars, np.mean(widths)))


if __name__ == "__main__":
    main()
