"""Depth-diameter law and size distribution of lunar craters, with bootstrap
errors.  The long run saves its state now and then, so that it can go on after
an interruption."""
import csv
import json
import os
import sys
import tempfile

import numpy as np

DMIN = 3.0            # km, completeness of the catalogue
SAVE_EVERY = 250      # bootstrap samples
STATE = "state.json"


def read_catalogue(path):
    with open(path, newline="") as f:
        rows = [(float(r["diameter_km"]), float(r["depth_km"])) for r in csv.DictReader(f)]
    return np.array(rows)


def power_law(d):
    """Maximum-likelihood exponent above the completeness limit."""
    d = d[d >= DMIN]
    return d.size / np.log(d / DMIN).sum()


def depth_law(d, z):
    """Robust straight line in the logarithms (reweighted least squares)."""
    x, y = np.log(d), np.log(z)
    w = np.ones_like(x)
    for _ in range(8):
        xm, ym = np.average(x, weights=w), np.average(y, weights=w)
        slope = (w * (x - xm) * (y - ym)).sum() / (w * (x - xm) ** 2).sum()
        res = y - ym - slope * (x - xm)
        scale = 1.4826 * np.median(np.abs(res))
        w = 1.0 / (1.0 + (res / (2.0 * scale)) ** 2)
    return slope, np.exp(ym - slope * xm)


def save_state(done, results):
    """Complete or not at all: a new file takes the place of the old one."""
    fd, name = tempfile.mkstemp(prefix="state_", dir=".")
    with os.fdopen(fd, "w") as f:
        json.dump({"done": done, "results": results}, f)
        f.flush()
        os.fsync(f.fileno())
    os.replace(name, STATE)


def load_state():
    if not os.path.exists(STATE):
        return 0, []
    with open(STATE) as f:
        s = json.load(f)
    return s["done"], s["results"]


def main(samples):
    craters = read_catalogue("craters.csv")
    done, results = load_state()
    for k in range(done, samples):
        rng = np.random.default_rng(1000 + k)
        pick = craters[rng.integers(0, len(craters), len(craters))]
        slope, factor = depth_law(pick[:, 0], pick[:, 1])
        results.append([power_law(pick[:, 0]), float(slope), float(factor)])
        if (k + 1) % SAVE_EVERY == 0:
            save_state(k + 1, results)
    r = np.array(results)
    mean, std = r.mean(axis=0), r.std(axis=0)
    with open("laws.txt", "w") as out:
        for label, m, s in zip(("exponent", "slope", "factor"), mean, std):
            out.write(f"{label:10s} {m:10.5f} {s:10.5f}\n")
    print(f"{samples} samples: exponent {mean[0]:.4f} +- {std[0]:.4f}, slope {mean[1]:.4f} +- {std[1]:.4f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
