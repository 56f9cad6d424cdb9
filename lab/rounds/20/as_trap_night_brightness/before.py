"""Moonlight and activity: brightness of night photographs of camera traps.

Each photograph is decoded, its banner cut off, and brightness, contrast and
sharpness are taken; the table is joined with the moon's phase.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import threading

import numpy as np
from PIL import Image

BANNER = 32


def photographs(folder):
    return sorted(pathlib.Path(folder).rglob("*.jpg"))


def measure(path):
    """Name, brightness, contrast and sharpness of a photograph."""
    with Image.open(path) as im:
        grey = np.asarray(im.convert("L"), dtype=np.float32)
    field = grey[:-BANNER]
    thin = field[::4, ::4]
    sharp = float(np.abs(np.diff(thin, axis=1)).mean())
    return path.stem, float(thin.mean()), float(thin.std()), sharp


def moon_phase(night):
    """Lit share of the moon, nights counted from a new moon."""
    return 0.5 * (1 - math.cos(2 * math.pi * night / 29.53))


def night_of(name):
    return int(name.split("_")[1])


def table(paths, loaders):
    if loaders == 1:
        return [measure(p) for p in paths]
    with concurrent.futures.ThreadPoolExecutor(loaders) as pool:
        return list(pool.map(measure, paths))


def relate(rows):
    phase = np.array([moon_phase(night_of(r[0])) for r in rows])
    bright = np.array([r[1] for r in rows])
    a = np.column_stack([np.ones_like(phase), phase])
    coef, *_ = np.linalg.lstsq(a, bright, rcond=None)
    return coef, float(np.corrcoef(phase, bright)[0, 1])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folder")
    p.add_argument("--loaders", type=int, default=2)
    p.add_argument("--out", default="brightness.csv")
    args = p.parse_args()

    rows = table(photographs(args.folder), args.loaders)
    with open(args.out, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["photograph", "brightness", "contrast", "sharpness"])
        w.writerows(rows)
    coef, r = relate(rows)
    with open("moon.json", "w") as f:
        json.dump({"coefficients": coef.tolist(), "r": r, "threads": threading.active_count()}, f)
    print(f"photographs {len(rows)} mean {np.mean([x[1] for x in rows]):.4f}")
    print(f"brightness = {coef[0]:.4f} + {coef[1]:.4f} * phase, r = {r:.5f}")
    print(f"sharpness {np.mean([x[3] for x in rows]):.5f}")


if __name__ == "__main__":
    main()
