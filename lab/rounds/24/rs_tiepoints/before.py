#!/usr/bin/env python3
"""Fits the geolocation polynomials of Sentinel-1 sub-swaths from their tie points.

Structure after the Sentinel-1 annotation readers of public SAR packages (one
annotation document for each sub-swath, a list of geolocationGridPoint). The
archive holds each grid both as .xml (as delivered) and as .npy table.
"""
import argparse
import glob
import os
import sys
import xml.etree.ElementTree as ET

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

FIELDS = ("line", "pixel", "latitude", "longitude", "height", "incidenceAngle", "elevationAngle")


def read_grid(base):
    """Table of tie points: a row a point, columns as in FIELDS."""
    root = ET.parse(base + ".xml").getroot()
    plist = root.find("geolocationGrid/geolocationGridPointList")
    if plist is None:
        raise ValueError("no geolocation grid")
    rows = [[float(p.find(name).text) for name in FIELDS] for p in plist.findall("geolocationGridPoint")]
    if len(rows) != int(plist.get("count")):
        raise ValueError(f"{len(rows)} points, {plist.get('count')} announced")
    return np.array(rows)


def design(line, pixel, order):
    x = 2 * (line - line.min()) / np.ptp(line) - 1
    y = 2 * (pixel - pixel.min()) / np.ptp(pixel) - 1
    return np.stack([x ** i * y ** j for i in range(order + 1) for j in range(order + 1 - i)], -1)


def fit(grid, order):
    a = design(grid[:, 0], grid[:, 1], order)
    out = {}
    for k in (2, 3, 5):
        coef, *_ = np.linalg.lstsq(a, grid[:, k], rcond=None)
        out[FIELDS[k]] = coef, float(np.sqrt(np.mean((a @ coef - grid[:, k]) ** 2)))
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("annotation")
    ap.add_argument("--order", type=int, default=4)
    ap.add_argument("--out", default="geolocation.txt")
    a = ap.parse_args()
    bases = sorted(p[:-4] for p in glob.glob(os.path.join(a.annotation, "s1*.xml")))
    if not bases:
        sys.exit(f"no annotation in {a.annotation}")
    with open(a.out, "w") as f:
        for base in bases:
            try:
                grid = read_grid(base)
            except (OSError, ValueError, ET.ParseError) as e:
                print(f"{base}: {e}", file=sys.stderr)
                continue
            name = os.path.basename(base)
            print(f"{name}: {len(grid)} points, height {grid[:,4].min():.1f} to {grid[:,4].max():.1f} m")
            for q, (coef, rms) in fit(grid, a.order).items():
                print(f"   {q:15s} rms {rms:.3e}")
                f.write(f"{name} {q} " + " ".join(f"{c:.8e}" for c in coef) + "\n")


if __name__ == "__main__":
    main()
