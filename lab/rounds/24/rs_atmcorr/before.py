#!/usr/bin/env python3
"""Atmospheric correction of Landsat scenes with a 6S-like look-up table, by a pool of processes."""
import argparse
import glob
import multiprocessing as mp
import os
import sys

import numpy as np

SZA = np.linspace(0, 75, 40)
AOT = np.linspace(0.0, 1.0, 40)
LAYERS = 2200
TABLES = None


def path_terms(sza, aot):
    """Path reflectance and two-way transmittance, by adding up thin layers."""
    mu = np.cos(np.radians(sza))
    rho = np.zeros(np.broadcast(mu, aot).shape)
    trans = np.ones_like(rho)
    for k in range(LAYERS):
        z = 60.0 * k / LAYERS
        tau = (0.24 * np.exp(-z / 8.0) / 8.0 + aot * np.exp(-z / 2.0) / 2.0) * 60.0 / LAYERS
        t = np.exp(-tau / mu) * np.exp(-tau)
        for angle in np.radians(np.arange(5, 90, 5)):
            phase = 0.75 * (1 + np.cos(angle) ** 2)
            rho = rho + 0.02 * phase * trans * (1 - np.exp(-tau / (mu + np.cos(angle))))
        trans = trans * t
    return rho, trans


def build_table():
    sza, aot = np.meshgrid(SZA, AOT, indexing="ij")
    return path_terms(sza, aot)


def interpolate(grid, sza, aot):
    i = min(int(np.searchsorted(SZA, sza)) - 1, len(SZA) - 2)
    f = (sza - SZA[i]) / (SZA[i + 1] - SZA[i])
    return np.interp(aot, AOT, (1 - f) * grid[i] + f * grid[i + 1])


def init_worker():
    """Each worker has its table from the start."""
    global TABLES
    TABLES = build_table()


def correct(path, outdir):
    rho_table, trans_table = TABLES
    with np.load(path) as z:
        toa, aot, sza = z["toa"], z["aot"], float(z["sza"])
    rho = interpolate(rho_table, sza, aot)
    trans = interpolate(trans_table, sza, aot)
    boa = np.clip((toa - rho) / trans, 0, 1.5).astype(np.float32)
    out = os.path.join(outdir, os.path.basename(path).replace(".npz", "_sr.npy"))
    np.save(out, boa)
    return os.path.basename(path), float(boa.mean()), float(boa.std())


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("toa")
    ap.add_argument("--outdir", default="sr")
    ap.add_argument("--processes", type=int, default=8)
    a = ap.parse_args()
    scenes = sorted(glob.glob(os.path.join(a.toa, "LC08*.npz")))
    if not scenes:
        sys.exit(f"no scenes in {a.toa}")
    os.makedirs(a.outdir, exist_ok=True)
    with mp.Pool(a.processes, initializer=init_worker) as pool:
        results = pool.starmap(correct, [(s, a.outdir) for s in scenes], chunksize=1)
    for name, mean, sd in results:
        print(f"{name} mean {mean:.6f} sd {sd:.6f}")


if __name__ == "__main__":
    main()
