"""k-means with several restarts on a table of county features.

Every restart leaves its own report and the centres, so that a stopped job can be
continued where it was.
"""
import json
import os
import sys

import numpy as np

K = 7


def report_name(run):
    return f"restart_{run:02d}.json"


def save_report(run, inertia, centres, sizes):
    """The report appears complete or not at all."""
    part = report_name(run) + ".part"
    with open(part, "w") as f:
        json.dump({"run": run, "inertia": inertia, "sizes": sizes.tolist(),
                   "centres": centres.tolist()}, f, indent=1)
    os.replace(part, report_name(run))


def load_report(run):
    with open(report_name(run)) as f:
        return json.load(f)


def distances(x, x2, centres):
    return x2[:, None] - 2.0 * (x @ centres.T) + (centres**2).sum(axis=1)


def kmeans(x, rng, iterations):
    centres = x[rng.choice(len(x), K, replace=False)].copy()
    x2 = (x**2).sum(axis=1)
    for _ in range(iterations):
        d = distances(x, x2, centres)
        label = d.argmin(axis=1)
        for k in range(K):
            member = x[label == k]
            if len(member):
                centres[k] = member.mean(axis=0)
    inertia = float(np.take_along_axis(d, label[:, None], 1).sum())
    return inertia, centres, np.bincount(label, minlength=K)


def main():
    restarts = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    x = np.array(np.load("features.npy", mmap_mode="r"))
    progress = open("progress.log", "w", buffering=1)
    for run in range(restarts):
        if os.path.exists(report_name(run)):
            continue
        rng = np.random.default_rng(100 + run)
        inertia, centres, sizes = kmeans(x, rng, 12)
        save_report(run, inertia, centres, sizes)
        progress.write(f"restart {run} inertia {inertia:.1f}\n")
    progress.close()
    best = min((load_report(r) for r in range(restarts)), key=lambda r: r["inertia"])
    print(f"best restart {best['run']} inertia {best['inertia']:.1f}")


if __name__ == "__main__":
    main()
