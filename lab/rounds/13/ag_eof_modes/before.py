"""EOF analysis of sea-surface temperature anomalies, decade by decade.

Makes a synthetic anomaly field (a few known patterns + red noise), finds the
leading modes and keeps them in an HDF5 file with their attributes.
"""
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")     # the desktop is shared

import h5py
import numpy as np

DECADES = int(sys.argv[1]) if len(sys.argv) > 1 else 8
NT, NLAT, NLON = 180, 24, 48
MODES = 6


def patterns():
    lat = np.linspace(-60, 60, NLAT)[:, None]
    lon = np.linspace(0, 360, NLON, endpoint=False)[None, :]
    enso = np.exp(-(lat / 12) ** 2 - ((lon - 220) / 50) ** 2)
    pdo = np.exp(-((lat - 42) / 14) ** 2 - ((lon - 170) / 40) ** 2) - 0.5 * enso
    amo = np.exp(-((lat - 35) / 25) ** 2 - ((lon - 320) / 28) ** 2)
    return [enso.ravel(), pdo.ravel(), amo.ravel()]


def anomalies(rng, shapes):
    field = np.zeros((NT, NLAT * NLON))
    for shape, phi in zip(shapes, (0.90, 0.96, 0.99)):
        index = np.zeros(NT)
        for t in range(1, NT):
            index[t] = phi * index[t - 1] + rng.normal() * np.sqrt(1 - phi**2)
        field += np.outer(index, shape)
    noise = rng.normal(0, 0.5, field.shape)
    for t in range(1, NT):
        noise[t] = 0.7 * noise[t - 1] + 0.5 * noise[t]
    return field + noise


def eofs(field):
    field = field - field.mean(axis=0)
    u, s, vt = np.linalg.svd(field, full_matrices=False)
    explained = s**2 / (s**2).sum()
    return vt[:MODES], u[:, :MODES] * s[:MODES], explained[:MODES]


def bootstrap(rng, field, draws=6):
    """Spread of the explained variance when years are drawn with replacement"""
    out = []
    for _ in range(draws):
        years = rng.integers(0, NT // 12, NT // 12)
        rows = (years[:, None] * 12 + np.arange(12)).ravel()
        out.append(eofs(field[rows])[2])
    return np.std(out, axis=0)


def store(h5, decade, modes, pcs, explained, spread):
    group = h5.create_group("decade_%02d" % decade)
    maps = group.create_dataset("eof", data=modes.reshape(MODES, NLAT, NLON).astype("f4"),
                                compression="gzip", compression_opts=4)
    group.create_dataset("pc", data=pcs)
    maps.attrs["explained"] = explained
    maps.attrs["spread"] = spread
    maps.attrs["units"] = "K"
    h5.flush()


def main():
    rng = np.random.default_rng(1950)
    shapes = patterns()
    with h5py.File("eofs.h5", "w") as h5:
        for decade in range(DECADES):
            field = anomalies(rng, shapes)
            modes, pcs, explained = eofs(field)
            spread = bootstrap(rng, field)
            store(h5, decade, modes, pcs, explained, spread)
            print("decade %d: %s" % (decade, " ".join("%.3f+-%.3f" % p for p in zip(explained, spread))))


if __name__ == "__main__":
    main()
