"""Carbon stock of forest inventory plots from the soil laboratory's archive.

Each region has its own HDF5 archive; the plot list names region and row.
"""
import argparse
import csv
import pathlib
import time

import h5py
import numpy as np


class SoilArchive:
    """Access to the laboratory's archives by region and row."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.lookups = 0
        self.opened = {}

    def archive(self, region):
        if region not in self.opened:
            h5 = h5py.File(self.folder / f"{region}.h5", "r")
            self.opened[region] = (h5, h5["bulk_density"], h5["carbon_fraction"])
        return self.opened[region]

    def profile(self, region, row):
        self.lookups += 1
        _, density, carbon = self.archive(region)
        return density[row], carbon[row]

    def depths(self, region):
        return self.archive(region)[0]["depth"][...]


def read_plots(path):
    with open(path, newline="") as f:
        return [(r["plot"], r["region"], int(r["row"]), r["stand"]) for r in csv.DictReader(f)]


def stock(depth, density, carbon, limit):
    """Tonnes of carbon per hectare down to the limit (cm)."""
    thickness = np.diff(np.concatenate(([0.0], depth)))
    inside = depth <= limit
    return float(np.sum((thickness * density * carbon)[inside]) * 100.0)


def evaluate(archive, plots, limit):
    depth = {region: archive.depths(region) for region in sorted({p[1] for p in plots})}
    result = {}
    for plot, region, row, stand in plots:
        density, carbon = archive.profile(region, row)
        result[plot] = (stand, stock(depth[region], density, carbon, limit))
    return result


def by_stand(result):
    table = {}
    for stand, value in result.values():
        table.setdefault(stand, []).append(value)
    return {s: (len(v), float(np.mean(v)), float(np.std(v))) for s, v in sorted(table.items())}


def write_result(result, path):
    with open(path, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["plot", "stand", "t_per_ha"])
        for plot, (stand, value) in result.items():
            w.writerow([plot, stand, f"{value:.3f}"])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("archive")
    p.add_argument("plots")
    p.add_argument("--limit", type=float, default=60.0)
    p.add_argument("--out", default="stocks.csv")
    args = p.parse_args()

    started = time.time()
    archive = SoilArchive(args.archive)
    plots = read_plots(args.plots)
    result = evaluate(archive, plots, args.limit)
    write_result(result, args.out)
    for stand, (n, mean, sd) in by_stand(result).items():
        print(f"{stand:10s} {n:5d} {mean:9.4f} {sd:8.4f}")
    with open("run.log", "a") as log:
        log.write(f"{archive.lookups} profiles, {time.time() - started:.1f} s\n")


if __name__ == "__main__":
    main()
