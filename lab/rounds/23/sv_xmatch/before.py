#!/usr/bin/env python3
"""Cross-match a night's detections with the reference catalogue (declination zones).

usage: xmatch.py reference.csv detections.csv matches.csv [--radius ARCSEC]
The reference is kept in an HDF5 column store with a zone index: sorted by zone then right
ascension, column per dataset, so that a search touches only a run of rows.
"""
import argparse
import csv
import math
import os

import h5py
import numpy as np
import pandas as pd

ZONE = 0.1      # degrees


def build_store(source, path):
    ref = pd.read_csv(source)
    ref["zone"] = np.floor((ref["dec"] + 90) / ZONE).astype("i4")
    ref = ref.sort_values(["zone", "ra"], kind="stable").reset_index(drop=True)
    zones = np.arange(int(180 / ZONE) + 1)
    with h5py.File(path, "w") as f:
        for name in ("ra", "dec", "mag", "id"):
            f.create_dataset(name, data=ref[name].to_numpy())
        f.create_dataset("first", data=np.searchsorted(ref["zone"], zones, side="left"))
        f.create_dataset("last", data=np.searchsorted(ref["zone"], zones, side="right"))
        f.attrs["source"] = os.path.basename(source)
    return len(ref)


class Reference:
    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.ra, self.dec = self.file["ra"], self.file["dec"]
        self.mag, self.ident = self.file["mag"], self.file["id"]
        self.first, self.last = self.file["first"][:], self.file["last"][:]

    def lower(self, lo, hi, value):
        """First row in [lo, hi) whose right ascension is not below value."""
        while lo < hi:
            mid = (lo + hi) // 2
            if self.ra[mid] < value:
                lo = mid + 1
            else:
                hi = mid
        return lo

    def nearest(self, ra, dec, radius):
        best = None
        width = radius / max(math.cos(math.radians(dec)), 0.02)
        for zone in range(int((dec - radius + 90) / ZONE), int((dec + radius + 90) / ZONE) + 1):
            row, end = int(self.first[zone]), int(self.last[zone])
            row = self.lower(row, end, ra - width)
            while row < end and self.ra[row] <= ra + width:
                dx = (self.ra[row] - ra) * math.cos(math.radians(dec))
                d = math.hypot(dx, self.dec[row] - dec)
                if d <= radius and (best is None or d < best[0]):
                    best = (d, row)
                row += 1
        if best is None:
            return None
        return int(self.ident[best[1]]), best[0] * 3600, float(self.mag[best[1]])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("reference")
    ap.add_argument("detections")
    ap.add_argument("matches")
    ap.add_argument("--radius", type=float, default=2.0)
    args = ap.parse_args()
    rows = build_store(args.reference, "reference.h5")
    ref = Reference("reference.h5")
    found = lost = 0
    offsets = []
    with open(args.detections, newline="") as src, open(args.matches, "w", newline="") as dst:
        out = csv.writer(dst)
        out.writerow(["det", "ref", "sep", "dmag"])
        for det in csv.DictReader(src):
            hit = ref.nearest(float(det["ra"]), float(det["dec"]), args.radius / 3600)
            if hit is None:
                lost += 1
                continue
            found += 1
            offsets.append(hit[1])
            out.writerow([det["det"], hit[0], f"{hit[1]:.4f}", f"{float(det['mag']) - hit[2]:.3f}"])
    ref.file.close()
    os.unlink("reference.h5")
    print(f"{rows} reference rows, {found} matched, {lost} new, median separation {np.median(offsets):.4f} arcsec")


if __name__ == "__main__":
    main()
