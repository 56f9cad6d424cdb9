# Leaf shape from herbarium sheets
# --------------------------------
# catalogue.txt : accession numbers
# sheets/       : binary masks  <accession>-<genus>-leaf<k>.msk
# result        : shape table (area, elongation, roughness) per accession

import fnmatch
import os
import struct

import numpy as np

SHEETS = "sheets"
DPI = 300.0
MM = 25.4 / DPI * 40      # masks are reduced by 40


def leaves_of(accession):
    pattern = accession + "-*.msk"
    names = fnmatch.filter(os.listdir(SHEETS), pattern)
    return [os.path.join(SHEETS, name) for name in sorted(names)]


def load_mask(path):
    raw = open(path, "rb").read()
    w, h = raw[0], raw[1]
    return np.frombuffer(raw, np.uint8, offset=2).reshape(h, w)


def shape(mask):
    y, x = np.nonzero(mask)
    area = len(x) * MM * MM
    cx, cy = x.mean(), y.mean()
    sxx = np.mean((x - cx) ** 2)
    syy = np.mean((y - cy) ** 2)
    sxy = np.mean((x - cx) * (y - cy))
    trace, det = sxx + syy, sxx * syy - sxy * sxy
    root = np.sqrt(max(trace * trace / 4 - det, 0.0))
    long_axis, short_axis = trace / 2 + root, trace / 2 - root
    edge = np.abs(np.diff(mask.astype(np.int8), axis=0)).sum()
    edge += np.abs(np.diff(mask.astype(np.int8), axis=1)).sum()
    return area, np.sqrt(long_axis / short_axis), edge * MM / np.sqrt(area)


def genus(path):
    return os.path.basename(path).split("-")[1]


with open("catalogue.txt") as f:
    accessions = f.read().split()

table = []
groups = {}
for acc in accessions:
    files = leaves_of(acc)
    if not files:
        continue
    values = np.array([shape(load_mask(p)) for p in files])
    mean = values.mean(axis=0)
    groups.setdefault(genus(files[0]), []).append(mean)
    table.append(struct.pack("<5s3d", acc.encode(), *mean))

with open("shapes.bin", "wb") as f:
    f.write(b"".join(table))

print("accessions measured:", len(table))
for g in sorted(groups):
    m = np.array(groups[g])
    print(f"{g}  n={len(m):4d}  area {m[:, 0].mean():8.1f} mm2  "
          f"elongation {m[:, 1].mean():5.3f}  roughness {m[:, 2].mean():5.3f}")
