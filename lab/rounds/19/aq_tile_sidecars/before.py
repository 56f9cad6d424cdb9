#!/usr/bin/env python3
"""Focus map of a whole-slide image: each tile gets a small JSON sidecar with
its focus score; the sidecars are then merged into one table."""
import json
import os
import sys

import numpy as np
import pandas as pd


def tile(rng, ty, tx, size):
    base = rng.normal(128, 25, (size, size))
    if (ty + tx) % 3 == 0:
        base = (base + np.roll(base, 1, 0) + np.roll(base, 1, 1)) / 3
    return base


def focus_scores(img):
    spec = np.abs(np.fft.fft2(img - img.mean()))
    n = img.shape[0] // 4
    high = spec[n:-n, n:-n].sum() / spec.sum()
    gy, gx = np.gradient(img)
    tenengrad = float(np.mean(gx * gx + gy * gy))
    lap = (np.roll(img, 1, 0) + np.roll(img, -1, 0) + np.roll(img, 1, 1)
           + np.roll(img, -1, 1) - 4 * img)
    return {"high_band": round(float(high), 8),
            "tenengrad": round(tenengrad, 6),
            "laplace_var": round(float(lap.var()), 6)}


def sidecar(folder, ty, tx):
    return os.path.join(folder, f"tile_{ty:03d}_{tx:03d}.json")


def write_sidecar(folder, ty, tx, scores):
    record = dict(scores, ty=ty, tx=tx, version=2)
    with open(sidecar(folder, ty, tx), "w") as fh:
        json.dump(record, fh, sort_keys=True)


def merge(folder):
    rows = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name)) as fh:
                rows.append(json.load(fh))
    return pd.DataFrame(rows).sort_values(["ty", "tx"])


def main():
    ny, nx = int(sys.argv[1]), int(sys.argv[2])
    folder = "sidecars"
    os.makedirs(folder, exist_ok=True)
    rng = np.random.default_rng(42)
    for ty in range(ny):
        for tx in range(nx):
            write_sidecar(folder, ty, tx, focus_scores(tile(rng, ty, tx, 256)))
    table = merge(folder)
    table.to_csv("focus.csv", index=False)
    print(f"{len(table)} tiles, high band {table.high_band.mean():.8f}, "
          f"tenengrad {table.tenengrad.median():.6f}, "
          f"out of focus {(table.laplace_var < 5000).sum()}")


if __name__ == "__main__":
    main()
