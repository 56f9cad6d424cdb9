"""Bootstrap support of neighbour pairs in an alignment.

Sites are drawn with replacement from the mapped alignment; Jukes-Cantor
distances of every replicate decide who is whose nearest relative.
"""
import sys

import numpy as np

TAXA = 120


def load(path):
    """Alignment as (sites, taxa); the operating system pages it in."""
    flat = np.memmap(path, dtype=np.uint8, mode="r")
    return flat.reshape(-1, TAXA)


def draw(alignment, rng):
    """One replicate: as many sites as there are, with replacement."""
    n = alignment.shape[0]
    return alignment[rng.integers(n, size=n)]


def distances(sites):
    """Jukes-Cantor distances between all taxa."""
    n = sites.shape[0]
    same = np.zeros((TAXA, TAXA), np.float32)
    for base in range(4):
        is_base = (sites == base).astype(np.float32)
        same += is_base.T @ is_base
    p = 1.0 - same / n
    return -0.75 * np.log(np.maximum(1.0 - 4.0 * p / 3.0, 1e-6))


def neighbours(d):
    """Reciprocal nearest neighbours."""
    d = d + np.diag(np.full(TAXA, np.inf))
    nearest = d.argmin(axis=1)
    mutual = nearest[nearest] == np.arange(TAXA)
    return {(min(i, nearest[i]), max(i, nearest[i])) for i in np.flatnonzero(mutual)}


def diameter(d):
    """Longest path in the minimum spanning tree (Prim)."""
    inside = np.zeros(TAXA, bool)
    inside[0] = True
    best, link = d[0].copy(), np.zeros(TAXA, int)
    depth = np.zeros(TAXA)
    for _ in range(TAXA - 1):
        j = np.argmin(np.where(inside, np.inf, best))
        inside[j] = True
        depth[j] = depth[link[j]] + best[j]
        closer = d[j] < best
        best = np.where(closer, d[j], best)
        link = np.where(closer, j, link)
    return depth.max()


def main():
    alignment = load(sys.argv[1])
    replicates = int(sys.argv[2])
    rng = np.random.default_rng(99)
    reference = neighbours(distances(np.asarray(alignment)))
    support = dict.fromkeys(reference, 0)
    span = []
    for _ in range(replicates):
        d = distances(draw(alignment, rng))
        span.append(diameter(d))
        for pair in neighbours(d) & reference:
            support[pair] += 1
    with open("support.txt", "w") as f:
        for (a, b), n in sorted(support.items()):
            f.write(f"{a}\t{b}\t{100 * n / replicates:.1f}\n")
    good = sum(n >= 0.95 * replicates for n in support.values())
    print(f"{len(support)} pairs, {good} with support >= 95 %, tree depth {np.mean(span):.4f}")


if __name__ == "__main__":
    main()
