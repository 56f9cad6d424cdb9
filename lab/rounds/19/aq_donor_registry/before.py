#!/usr/bin/env python3
"""Registry of donors and their cells: annotations are kept beside the
expression summary in one HDF5 file, then read back for a cohort report."""
import argparse
import hashlib

import h5py
import numpy as np

TISSUES = ["lung", "liver", "spleen", "blood", "skin"]
STAGES = ["G1", "S", "G2M"]


def make_cells(rng, n):
    for i in range(n):
        yield {
            "barcode": f"{rng.integers(16**8):08X}-{i:06d}",
            "tissue": TISSUES[int(rng.integers(len(TISSUES)))],
            "stage": STAGES[int(rng.integers(3))],
            "n_counts": int(rng.integers(800, 30000)),
            "pct_mito": round(float(rng.beta(2, 30)), 5),
        }


def write_expression(f, rng, n):
    f.create_dataset("summary/pca", data=rng.normal(size=(n, 30)).astype("f4"))
    knn = rng.integers(0, n, size=(n, 15)).astype("i4")
    f.create_dataset("summary/knn", data=knn)


def write_annotations(f, donor, cells):
    obs = f.require_group(f"obs/{donor}")
    for cell in cells:
        key = cell["barcode"]
        obs.attrs[key + "/tissue"] = cell["tissue"]
        obs.attrs[key + "/stage"] = cell["stage"]
        obs.attrs[key + "/n_counts"] = cell["n_counts"]
        obs.attrs[key + "/pct_mito"] = cell["pct_mito"]


def read_annotations(f, donor):
    obs = f[f"obs/{donor}"]
    cells = {}
    for name, value in obs.attrs.items():
        barcode, field = name.split("/")
        cells.setdefault(barcode, {})[field] = value
    return cells


def cohort_report(f, donors):
    per_tissue = {t: [0, 0, 0.0] for t in TISSUES}
    digest = hashlib.md5()
    for donor in donors:
        cells = read_annotations(f, donor)
        for barcode in sorted(cells):
            c = cells[barcode]
            row = per_tissue[c["tissue"]]
            row[0] += 1
            row[1] += int(c["n_counts"])
            row[2] += float(c["pct_mito"])
            digest.update(f"{barcode}{c['stage']}{int(c['n_counts'])}".encode())
    return per_tissue, digest.hexdigest()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--donors", type=int, default=4)
    ap.add_argument("--cells", type=int, default=250)
    args = ap.parse_args()

    rng = np.random.default_rng(2023)
    donors = [f"D{i:03d}" for i in range(args.donors)]
    with h5py.File("registry.h5", "w", libver="latest") as f:
        write_expression(f, rng, args.donors * args.cells)
        for donor in donors:
            write_annotations(f, donor, make_cells(rng, args.cells))

    with h5py.File("registry.h5", "r") as f:
        spread = float(np.std(f["summary/pca"][:], dtype="f8"))
        per_tissue, digest = cohort_report(f, donors)

    for t, (n, counts, mito) in per_tissue.items():
        print(f"{t:8s} {n:6d} cells  counts {counts:12d}  mito {mito / max(n, 1):.6f}")
    print(f"spread {spread:.6f} digest {digest}")


if __name__ == "__main__":
    main()
