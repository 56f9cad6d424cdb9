#!/usr/bin/env python3
"""Partition a source catalogue by sky cell (equal-area rings, HiPSCat-like directories).

usage: partition.py sources.csv catalog/ [--rings N]
writes catalog/Norder=.../Dir=.../Npix=....csv and catalog/partition_info.csv
"""
import argparse
import math
import os
import sys
from collections import Counter

HEADER = "source_id,ra,dec,g,r,i,flags\n"


class Partitioner:
    def __init__(self, root, rings):
        self.root = root
        self.rings = rings
        self.counts = Counter()
        self.rejected = 0
        self.rows = {}
        os.makedirs(root, exist_ok=True)

    def cell(self, ra, dec):
        """Equal-area cell: rings in sin(dec), 2*rings cells in each ring."""
        ring = min(int((math.sin(math.radians(dec)) + 1) / 2 * self.rings), self.rings - 1)
        return ring * 2 * self.rings + int(ra / 360 * 2 * self.rings) % (2 * self.rings)

    def path(self, cell):
        folder = os.path.join(self.root, f"Norder={self.rings}", f"Dir={cell // 100 * 100}")
        return os.path.join(folder, f"Npix={cell}.csv")

    def add(self, line):
        fields = line.rstrip("\n").split(",")
        try:
            ra, dec = float(fields[1]), float(fields[2])
        except (IndexError, ValueError):
            self.rejected += 1
            return
        if len(fields) != 7 or not -90 <= dec <= 90:
            self.rejected += 1
            return
        cell = self.cell(ra, dec)
        self.store(cell, line)
        self.counts[cell] += 1

    def store(self, cell, line):
        self.rows.setdefault(cell, []).append(line)

    def finish(self):
        for cell, lines in self.rows.items():
            path = self.path(cell)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as out:
                out.write(HEADER)
                out.writelines(lines)
        info = os.path.join(self.root, "partition_info.csv")
        with open(info, "w") as out:
            out.write("Norder,Npix,num_rows,bytes\n")
            for cell, n in sorted(self.counts.items()):
                out.write(f"{self.rings},{cell},{n},{os.path.getsize(self.path(cell))}\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("sources")
    ap.add_argument("root")
    ap.add_argument("--rings", type=int, default=10)
    args = ap.parse_args()
    part = Partitioner(args.root, args.rings)
    with open(args.sources) as src:
        if src.readline() != HEADER:
            sys.exit(f"{args.sources}: unexpected columns")
        for line in src:
            part.add(line)
    part.finish()
    largest = max(part.counts.items(), key=lambda kv: (kv[1], -kv[0]))
    print(f"{sum(part.counts.values())} sources in {len(part.counts)} cells, {part.rejected} rejected, "
          f"largest cell {largest[0]} with {largest[1]}")


if __name__ == "__main__":
    main()
