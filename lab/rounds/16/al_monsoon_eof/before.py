"""Leading patterns (EOFs) of synthetic monsoon rain in several regions, kept in HDF5.

usage: eof.py days modes
"""
import sys

import h5py
import numpy as np

REGIONS = ["bengal", "kerala", "punjab", "deccan", "assam", "gujarat", "nepal", "ceylon"]
NY, NX = 30, 40
WAVES = 6


def rain(rng, days):
    """Daily anomalies: a few travelling waves with red noise amplitudes, plus noise."""
    y, x = np.mgrid[0:NY, 0:NX]
    t = np.arange(days)
    field = rng.normal(0, 1.0, (days, NY, NX)).astype(np.float32)
    for w in range(WAVES):
        kx, ky = rng.uniform(0.05, 0.4, 2)
        period = rng.uniform(8, 50)
        shape_c = np.cos(kx * x + ky * y).astype(np.float32)
        shape_s = np.sin(kx * x + ky * y).astype(np.float32)
        envelope = 3.0 / (w + 1) * (1 + 0.4 * np.sin(2 * np.pi * t / 365.25))
        phase = 2 * np.pi * t / period
        field += (envelope * np.cos(phase)).astype(np.float32)[:, None, None] * shape_c
        field += (envelope * np.sin(phase)).astype(np.float32)[:, None, None] * shape_s
    return field


def leading_modes(field, modes, rounds=8):
    """Subspace iteration on the covariance, area weighted."""
    days = len(field)
    a = field.reshape(days, NY * NX).astype(float)
    a -= a.mean(axis=0)
    weight = np.sqrt(np.cos(np.radians(np.linspace(8, 30, NY))))
    a *= np.repeat(weight, NX)
    q = np.linalg.qr(np.random.default_rng(0).normal(size=(NY * NX, modes)))[0]
    for _ in range(rounds):
        q = np.linalg.qr(a.T @ (a @ q))[0]
    _, s, vt = np.linalg.svd(a @ q, full_matrices=False)
    patterns = (q @ vt.T).T.reshape(modes, NY, NX)
    return patterns, a @ q @ vt.T, s ** 2 / (a ** 2).sum()


def store(out, region, field, patterns, series, share):
    group = out.create_group(region)
    group.attrs["modes"] = len(patterns)
    group.create_dataset("rain", data=field, chunks=(365, NY, NX))
    group.create_dataset("patterns", data=patterns.astype("f4"))
    group.create_dataset("series", data=series.astype("f4"))
    group.create_dataset("share", data=share)
    out.flush()


def main():
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    modes = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    rng = np.random.default_rng(1877)
    with h5py.File("monsoon.h5", "w") as out:
        out.attrs["source"] = "synthetic"
        for region in REGIONS:
            field = rain(rng, days)
            patterns, series, share = leading_modes(field, modes)
            store(out, region, field, patterns, series, share)
            print("%-8s %s" % (region, " ".join("%5.1f" % (100 * s) for s in share[:5])))


if __name__ == "__main__":
    main()
