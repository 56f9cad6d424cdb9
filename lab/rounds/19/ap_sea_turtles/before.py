#!/usr/bin/env python3
"""Daily home-range summary for satellite-tagged turtles.

Reads the tag sheet, collects all Argos legs of every animal, filters the
poor location classes, and reports travelled distance and 95 % MCP area.
"""
import csv
import glob
import math
import os
import sys

EARTH_KM = 6371.0
GOOD_CLASSES = set("3210A")


def read_tags(path):
    with open(path) as fh:
        return list(csv.DictReader(fh, delimiter="\t"))


def legs_of(folder, tag):
    """All deployment legs of one animal, oldest first."""
    return sorted(glob.glob(os.path.join(folder, "*_%s_leg*.csv" % tag)))


def read_leg(path):
    fixes = []
    with open(path) as fh:
        for row in csv.reader(fh):
            if row[3] in GOOD_CLASSES:
                fixes.append((int(row[0]), float(row[1]), float(row[2])))
    return fixes


def haversine(a, b):
    lon1, lat1, lon2, lat2 = map(math.radians, (a[1], a[2], b[1], b[2]))
    h = math.sin((lat2 - lat1) / 2) ** 2 + \
        math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_KM * math.asin(math.sqrt(h))


def hull(points):
    pts = sorted(set(points))
    if len(pts) < 3:
        return pts

    def half(seq):
        out = []
        for p in seq:
            while len(out) > 1 and ((out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) -
                                    (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0])) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]
    return half(pts) + half(reversed(pts))


def mcp_area(fixes):
    if not fixes:
        return 0.0
    mlat = math.radians(sum(f[2] for f in fixes) / len(fixes))
    pts = [(math.radians(f[1]) * EARTH_KM * math.cos(mlat), math.radians(f[2]) * EARTH_KM)
           for f in fixes]
    h = hull(pts)
    return abs(sum(h[i - 1][0] * h[i][1] - h[i][0] * h[i - 1][1] for i in range(len(h)))) / 2


def main(folder, tagfile, outfile):
    tags = read_tags(tagfile)
    total_km = 0.0
    n = 0
    with open(outfile, "w", newline="") as out:
        w = csv.writer(out)
        w.writerow(["tag", "species", "n_fixes", "km", "mcp_km2"])
        for t in tags:
            fixes = []
            for path in legs_of(folder, t["tag"]):
                fixes += read_leg(path)
            km = sum(haversine(p, q) for p, q in zip(fixes, fixes[1:]))
            w.writerow([t["tag"], t["species"], len(fixes), "%.2f" % km, "%.1f" % mcp_area(fixes)])
            total_km += km
            n += len(fixes)
    print("animals %d fixes %d total_km %.3f" % (len(tags), n, total_km))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3])
