#!/usr/bin/env python3
"""Fits a season curve to NDVI blocks from an inbox: Gauss-Newton for each pixel row."""
import argparse
import os
import sys
import time

import numpy as np

DAYS = np.arange(46) * 8.0


def wait_ready(base, tries=50, pause=0.01):
    """Wait until the block is complete; give a just-written file a moment to settle."""
    for _ in range(tries):
        if os.path.exists(base + ".ready"):
            time.sleep(pause)
            return base + ".npy"
        time.sleep(pause)
    raise TimeoutError(base)


def model(p, t):
    g = np.exp(-((t - p[:, 2:3]) / p[:, 3:4]) ** 2)
    return p[:, 0:1] + p[:, 1:2] * g, g


def fit_rows(y, t, iterations):
    """Damped Gauss-Newton of base, amplitude, peak day and width for n series at once."""
    n = len(y)
    p = np.stack([y.min(1), np.ptp(y, axis=1), t[y.argmax(1)], np.full(n, 40.0)], 1)
    eye = np.eye(4) * 1e-3
    for _ in range(iterations):
        f, g = model(p, t)
        u = (t - p[:, 2:3]) / p[:, 3:4]
        j = np.stack([np.ones_like(f), g, 2 * p[:, 1:2] * g * u / p[:, 3:4], 2 * p[:, 1:2] * g * u * u / p[:, 3:4]], 2)
        a = np.einsum("nti,ntj->nij", j, j) + eye
        b = np.einsum("nti,nt->ni", j, y - f)
        p = p + 0.7 * np.linalg.solve(a, b[:, :, None])[:, :, 0]
        p[:, 3] = np.clip(p[:, 3], 10, 120)
    return p


def process(path, iterations):
    nd = np.load(path).astype(np.float64)
    out = np.empty(nd.shape[:2] + (4,))
    for r in range(nd.shape[0]):
        out[r] = fit_rows(nd[r], DAYS, iterations)
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("inbox")
    ap.add_argument("--blocks", type=int, default=4)
    ap.add_argument("--iterations", type=int, default=10)
    ap.add_argument("--out", default="phenology.npz")
    a = ap.parse_args()
    res = {}
    for k in range(a.blocks):
        try:
            path = wait_ready(os.path.join(a.inbox, f"MOD13Q1_block{k}"))
            p = process(path, a.iterations)
        except (OSError, TimeoutError) as e:
            print(f"block {k}: {e}", file=sys.stderr)
            continue
        res[f"block{k}"] = p.astype(np.float32)
        print(f"block {k}: peak day {np.median(p[..., 2]):.2f}, amplitude {np.median(p[..., 1]):.4f}, width {np.median(p[..., 3]):.2f}")
    if not res:
        sys.exit("nothing processed")
    np.savez(a.out, **res)


if __name__ == "__main__":
    main()
