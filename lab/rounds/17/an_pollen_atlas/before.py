"""Pollen counts of a sediment core, weighted with the reference sheets of the atlas.

Each grain under the microscope was given a species and four measures.  The atlas keeps a
sheet (mean and spread of the measures) for many species, spread over the folders of
regional collections; a species without sheet is judged by the sheet of its genus.

usage: pollen.py grains.csv atlas
"""
import math
import os
import sys

import numpy as np

COLLECTIONS = ["alps", "andes", "atlas", "baltic", "balkans", "carpathia", "caucasus",
               "iberia", "levant", "maghreb", "patagonia", "pyrenees", "sahel", "taiga"]
MEASURES = ("axis", "breadth", "pore", "exine")


def read_sheet(name):
    """Mean and spread of the measures on a sheet of the atlas."""
    with open(name) as sheet:
        rows = [line.split() for line in sheet if not line.startswith("#")]
    table = {row[0]: (float(row[1]), float(row[2])) for row in rows}
    return np.array([table[m] for m in MEASURES])


class Atlas:
    """The reference sheets, read when first wanted."""

    def __init__(self, folder):
        self.folder = folder
        self.sheets = {}

    def find(self, taxon):
        """Sheet of the taxon from the first collection that has one, or None."""
        if taxon in self.sheets:
            return self.sheets[taxon]
        for collection in COLLECTIONS:
            try:
                sheet = read_sheet(os.path.join(self.folder, collection, taxon + ".sheet"))
            except FileNotFoundError:
                continue
            self.sheets[taxon] = sheet
            return sheet
        return None

    def reference(self, species):
        sheet = self.find(species)
        if sheet is None:
            sheet = self.find(species.split("_")[0])
        return sheet


def read_grains(name):
    """Yields depth, species and measures of the grains."""
    with open(name) as table:
        next(table)
        for line in table:
            depth, species, *values = line.rstrip("\n").split(",")
            yield int(depth), species, [float(v) for v in values]


def likeness(values, sheet):
    """Chance of a grain as far from the mean, from a sum of squared deviations."""
    chi2 = 0.0
    for value, (mean, spread) in zip(values, sheet.tolist()):
        chi2 += ((value - mean) / spread) ** 2
    return math.exp(-0.5 * chi2) * (1.0 + 0.5 * chi2)


def diagram(grains, atlas):
    """Weighted count of each genus by depth."""
    counts = {}
    for depth, species, values in grains:
        sheet = atlas.reference(species)
        if sheet is None:
            continue
        key = (depth, species.split("_")[0])
        counts[key] = counts.get(key, 0.0) + likeness(values, sheet)
    return counts


def zones(counts, depths):
    """Shannon diversity of the genera at each depth."""
    result = []
    for depth in depths:
        share = np.array([c for (d, _), c in sorted(counts.items()) if d == depth])
        share = share / share.sum()
        result.append(float(-(share * np.log(share)).sum()))
    return result


def main():
    grains, folder = sys.argv[1], sys.argv[2]
    counts = diagram(read_grains(grains), Atlas(folder))
    depths = sorted({depth for depth, _ in counts})
    diversity = zones(counts, depths)
    with open("diagram.csv", "w") as out:
        out.write("depth,genus,count\n")
        for (depth, genus), count in sorted(counts.items()):
            out.write(f"{depth},{genus},{count:.6f}\n")
    print(f"{len(depths)} depths, mean diversity {sum(diversity) / len(depths):.6f}")


if __name__ == "__main__":
    main()
