"""Compares yearly greenness curves of sites with a continental reference.

The reference is a table of curves (one row per land-cover class and ecoregion,
one column per time step); every site is assigned the class it is nearest to.
"""
import argparse
import json
import os

import numpy as np


def read_sites(path):
    with open(path) as f:
        return json.load(f)["sites"]


def load_reference(folder, version):
    """Curves of the reference, in rows."""
    curves = np.load(os.path.join(folder, f"reference_{version}.npy"))
    return curves


def load_classes(folder):
    with open(os.path.join(folder, "classes.txt")) as f:
        return [line.strip() for line in f]


def site_curve(folder, site):
    """Mean of the site's years, gaps filled from both sides."""
    years = np.load(os.path.join(folder, site["file"]))
    mean = np.nanmean(years, axis=0)
    gaps = np.isnan(mean)
    if gaps.any():
        at = np.arange(mean.size)
        mean[gaps] = np.interp(at[gaps], at[~gaps], mean[~gaps])
    return mean.astype(np.float32)


def nearest(curve, folder, version):
    """Row of the reference with the greatest inner product."""
    reference = load_reference(folder, version)
    score = reference @ curve
    best = int(np.argmax(score))
    return best, float(score[best])


def assign(sites, site_folder, ref_folder, version, classes):
    table = []
    for site in sites:
        curve = site_curve(site_folder, site)
        row, score = nearest(curve, ref_folder, version)
        table.append((site["name"], classes[row % len(classes)], row, score))
    return table


def save_table(table, path):
    with open(path, "w") as f:
        f.write("site\tclass\trow\tscore\n")
        for name, cls, row, score in table:
            f.write(f"{name}\t{cls}\t{row}\t{score:.3f}\n")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--sites", default="sites.json")
    p.add_argument("--site-folder", default="curves")
    p.add_argument("--reference", default="reference")
    p.add_argument("--version", default="v3")
    p.add_argument("--out", default="assigned.tsv")
    args = p.parse_args()

    classes = load_classes(args.reference)
    sites = read_sites(args.sites)
    table = assign(sites, args.site_folder, args.reference, args.version, classes)
    save_table(table, args.out)
    counts = {}
    for _, cls, _, _ in table:
        counts[cls] = counts.get(cls, 0) + 1
    for cls in sorted(counts):
        print(f"{cls:20s} {counts[cls]}")
    print("rows", sum(t[2] for t in table), "score %.2f" % sum(t[3] for t in table))


if __name__ == "__main__":
    main()
