"""Climate envelopes of species, fitted in parallel, one task a species.

Occurrences are read with pandas, climate comes from a NetCDF grid; each
worker returns the envelope and the share of the grid inside it.
"""
import argparse
import json
import multiprocessing as mp
import os

import h5py
import netCDF4
import numpy as np
import pandas as pd


def occurrences(folder, species):
    table = pd.read_csv(os.path.join(folder, f"{species}.csv"))
    return table[table["quality"] > 1]


def climate_at(path, lat, lon):
    """Temperature and rain at the cells of the occurrences, and the grids."""
    with netCDF4.Dataset(path) as nc:
        temperature = nc["temperature"][...].filled(np.nan)
        rain = nc["rain"][...].filled(np.nan)
        i = np.searchsorted(nc["lat"][...].filled(), lat).clip(0, temperature.shape[0] - 1)
        j = np.searchsorted(nc["lon"][...].filled(), lon).clip(0, temperature.shape[1] - 1)
    return temperature, rain, temperature[i, j], rain[i, j]


def envelope(task):
    species, folder, grid, tail = task
    seen = occurrences(folder, species)
    t, r, ts, rs = climate_at(grid, seen["lat"].to_numpy(), seen["lon"].to_numpy())
    bounds = [*np.quantile(ts, [tail, 1 - tail]), *np.quantile(rs, [tail, 1 - tail])]
    inside = (t >= bounds[0]) & (t <= bounds[1]) & (r >= bounds[2]) & (r <= bounds[3])
    return species, [float(b) for b in bounds], float(inside.mean())


def run(tasks, workers):
    context = mp.get_context("spawn")
    with context.Pool(workers, maxtasksperchild=1) as pool:
        return pool.map(envelope, tasks, chunksize=1)


def store(results, path):
    with h5py.File(path, "w") as h5:
        h5["bounds"] = np.array([b for _, b, _ in results])
        h5["share"] = np.array([s for _, _, s in results])
        h5["bounds"].attrs["species"] = [s for s, _, _ in results]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folder")
    p.add_argument("--grid", default="climate.nc")
    p.add_argument("--tail", type=float, default=0.025)
    p.add_argument("--workers", type=int, default=2)
    args = p.parse_args()

    names = sorted(f[:-4] for f in os.listdir(args.folder) if f.endswith(".csv"))
    tasks = [(name, args.folder, args.grid, args.tail) for name in names]
    results = run(tasks, args.workers)
    store(results, "envelopes.h5")
    with open("run.json", "w") as f:
        json.dump({"species": len(results), "workers": args.workers}, f)
    for species, bounds, share in results:
        print(f"{species:12s} " + " ".join(f"{b:9.4f}" for b in bounds) + f" {share:.5f}")


if __name__ == "__main__":
    main()
