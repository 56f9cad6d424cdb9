"""Bootstrap of a Theil-Sen slope, split over worker interpreters.

The parent starts the workers, every worker leaves one array of slopes, and the
parent puts them together.
"""
import argparse
import os
import subprocess
import sys

import numpy as np


def sample(npoints=120, seed=17):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 10, npoints))
    y = 0.7 * x + rng.standard_t(2, npoints)
    return x, y


def theil_sen(x, y):
    i, j = np.triu_indices(x.size, 1)
    dx = x[j] - x[i]
    ok = dx != 0
    return np.median((y[j] - y[i])[ok] / dx[ok])


def work(part, draws):
    x, y = sample()
    rng = np.random.default_rng(1000 + part)
    slopes = np.empty(draws)
    for k in range(draws):
        pick = rng.integers(0, x.size, x.size)
        slopes[k] = theil_sen(x[pick], y[pick])
    np.save(f"slopes{part}.npy", slopes)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--draws", type=int, default=10000)
    ap.add_argument("--workers", type=int, default=2)
    ap.add_argument("--part", type=int)
    args = ap.parse_args()
    if args.part is not None:
        work(args.part, args.draws // args.workers)
        return

    procs = [subprocess.Popen([sys.executable, __file__, "--part", str(p),
                               "--draws", str(args.draws),
                               "--workers", str(args.workers)])
             for p in range(args.workers)]
    if any(p.wait() for p in procs):
        sys.exit("a worker failed")
    parts = []
    for p in range(args.workers):
        name = f"slopes{p}.npy"
        parts.append(np.load(name))
        os.remove(name)
    slopes = np.concatenate(parts)
    np.save("slopes.npy", slopes)
    lo, mid, hi = np.percentile(slopes, [2.5, 50, 97.5])
    print(f"{slopes.size} draws: slope {mid:.5f} [{lo:.5f}, {hi:.5f}]")


if __name__ == "__main__":
    main()
