#!/usr/bin/env python3
"""Cloud-cover statistics of a STAC item dump (one item a line) to plan a mosaic."""
import argparse
import math
import re
import sys

import numpy as np

COVER = re.compile(rb'"eo:cloud_cover":\s*([-+0-9.eE]+)')


def cloud_cover(line):
    """Cloud cover (percent) of one item, or None where it has none."""
    m = COVER.search(line)
    return None if m is None else float(m.group(1))


def scan(path):
    covers, bad = [], 0
    with open(path, "rb") as f:
        for number, line in enumerate(f, 1):
            if not line.strip():
                continue
            try:
                c = cloud_cover(line)
            except (ValueError, KeyError) as e:
                bad += 1
                print(f"{path}:{number}: {e}", file=sys.stderr)
                continue
            if c is not None:
                covers.append(c)
    return np.array(covers), bad


def scenes_needed(covers, limit, target):
    """Scenes below `limit` needed until a pixel is clear with probability `target`."""
    clear = 1.0 - covers[covers < limit].mean() / 100.0
    return math.ceil(math.log(1 - target) / math.log(1 - clear)) if clear < 1 else 1


def bootstrap(covers, rounds, rng):
    means = [rng.choice(covers, covers.size).mean() for _ in range(rounds)]
    return np.percentile(means, [2.5, 97.5])


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("dump")
    ap.add_argument("--limits", default="10,20,40,80")
    ap.add_argument("--target", type=float, default=0.999)
    ap.add_argument("--rounds", type=int, default=200)
    ap.add_argument("--hist", default="cloud_hist.csv")
    a = ap.parse_args()
    try:
        covers, bad = scan(a.dump)
    except OSError as e:
        sys.exit(str(e))
    if covers.size == 0:
        sys.exit("no items with cloud cover")
    lo, hi = bootstrap(covers, a.rounds, np.random.default_rng(1))
    print(f"{covers.size} items ({bad} bad), mean cover {covers.mean():.3f} [{lo:.3f}, {hi:.3f}]")
    for lim in map(float, a.limits.split(",")):
        n = int((covers < lim).sum())
        print(f"  below {lim:5.1f} %: {n:6d} items, {scenes_needed(covers, lim, a.target)} scenes for a mosaic")
    counts, edges = np.histogram(covers, bins=50, range=(0, 100))
    with open(a.hist, "w") as f:
        f.write("from,to,count\n")
        for c, e0, e1 in zip(counts, edges, edges[1:]):
            f.write(f"{e0:g},{e1:g},{c}\n")


if __name__ == "__main__":
    main()
