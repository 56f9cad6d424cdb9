"""Grid of Lane-Emden polytropes: first zero, mass integral and central ratio.

Without --single, the driver runs the whole grid and writes polytropes.csv.
With --single N, one model is integrated and printed as JSON.
"""
import argparse
import csv
import json
import sys

import numpy as np


def derivatives(xi, y, n):
    theta, phi = y
    return np.array([phi, -max(theta, 0.0) ** n - 2.0 * phi / xi])


def integrate(n, h=4e-3):
    xi = 1e-4
    y = np.array([1.0 - xi ** 2 / 6.0, -xi / 3.0])
    while True:
        k1 = derivatives(xi, y, n)
        k2 = derivatives(xi + h / 2, y + h / 2 * k1, n)
        k3 = derivatives(xi + h / 2, y + h / 2 * k2, n)
        k4 = derivatives(xi + h, y + h * k3, n)
        new = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if new[0] <= 0.0:
            frac = y[0] / (y[0] - new[0])
            slope = y[1] + frac * (new[1] - y[1])
            root = xi + frac * h
            break
        xi, y = xi + h, new
    return {
        "n": n,
        "xi1": root,
        "mass": -root ** 2 * slope,
        "ratio": -root / (3.0 * slope),
    }


def run_grid(lo, hi, count, h):
    models = []
    for n in np.linspace(lo, hi, count):
        models.append(integrate(float(n), h))
    return models


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--single", type=float)
    ap.add_argument("--step", type=float, default=2e-2)
    ap.add_argument("--lo", type=float, default=0.5)
    ap.add_argument("--hi", type=float, default=3.5)
    ap.add_argument("--count", type=int, default=14)
    args = ap.parse_args()
    if args.single is not None:
        json.dump(integrate(args.single, args.step), sys.stdout)
        return
    models = run_grid(args.lo, args.hi, args.count, args.step)
    with open("polytropes.csv", "w", newline="") as f:
        w = csv.DictWriter(f, fieldnames=["n", "xi1", "mass", "ratio"])
        w.writeheader()
        w.writerows(models)
    best = min(models, key=lambda m: abs(m["xi1"] - 3.65375))
    print(f"{len(models)} models, closest to n=1.5: n={best['n']:.3f} xi1={best['xi1']:.5f}")


if __name__ == "__main__":
    main()
