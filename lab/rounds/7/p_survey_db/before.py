"""Photometric redshifts for a simulated survey, stored in an SQLite table."""
import os
import sqlite3
import sys

import numpy as np

BANDS = 5
DATABASE = "survey.sqlite"


def template_colours(nz, ntype):
    z = np.linspace(0.0, 2.0, nz)
    kind = np.linspace(0.0, 1.0, ntype)
    grid = np.empty((nz, ntype, BANDS))
    for band in range(BANDS):
        wave = (0.4 + 0.15 * band) / (1.0 + z[:, None])
        grid[:, :, band] = (1.2 * np.tanh(8.0 * (wave - 0.35)) * (1.0 - 0.6 * kind)
                            + 0.3 * np.cos(6.0 * wave + 2.0 * kind))
    return z, grid.reshape(-1, BANDS).astype("f4")


def observe(rng, grid, count):
    pick = rng.integers(0, len(grid), size=count)
    return grid[pick] + rng.normal(0.0, 0.03, size=(count, BANDS)).astype("f4")


def fit_block(block, grid, norm, z, ntype):
    chi2 = norm[None, :] - 2.0 * (block @ grid.T)
    chi2 += (block ** 2).sum(axis=1)[:, None]
    weight = np.exp(-0.5 * (chi2 - chi2.min(axis=1, keepdims=True)) / 0.0009)
    weight /= weight.sum(axis=1, keepdims=True)
    zz = np.repeat(z, ntype)
    mean = weight @ zz
    spread = np.sqrt(np.maximum(weight @ zz ** 2 - mean ** 2, 0.0))
    return mean, spread, chi2.argmin(axis=1) % ntype


def open_database():
    if os.path.exists(DATABASE):
        os.remove(DATABASE)
    db = sqlite3.connect(DATABASE, isolation_level=None)
    db.execute("CREATE TABLE photoz (id INTEGER PRIMARY KEY, z REAL, dz REAL, type INTEGER)")
    return db


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    nz, ntype = 900, 12
    rng = np.random.default_rng(23)
    z, grid = template_colours(nz, ntype)
    norm = (grid ** 2).sum(axis=1)
    colours = observe(rng, grid, count)
    db = open_database()
    db.execute("BEGIN")
    for start in range(0, count, 200):
        mean, spread, kind = fit_block(colours[start:start + 200], grid, norm, z, ntype)
        for k in range(len(mean)):
            db.execute("INSERT INTO photoz VALUES (?, ?, ?, ?)",
                       (start + k, float(mean[k]), float(spread[k]), int(kind[k])))
    db.execute("COMMIT")
    n, average, worst = db.execute("SELECT count(*), avg(z), max(dz) FROM photoz").fetchone()
    db.close()
    print(f"{n} galaxies, mean redshift {average:.5f}, largest error {worst:.5f}")


if __name__ == "__main__":
    main()
