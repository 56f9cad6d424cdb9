"""Bond percolation on a square lattice: wrapping probability and largest cluster.

    python percolation.py <edge> <samples>
"""
import json
import sys

import numpy as np

EDGE = int(sys.argv[1]) if len(sys.argv) > 1 else 128
SAMPLES = int(sys.argv[2]) if len(sys.argv) > 2 else 6
PROBS = np.linspace(0.46, 0.54, 16)


def label(right, down):
    """Cluster labels by repeated minimum propagation with pointer jumping."""
    n = right.shape[0]
    lab = np.arange(n * n)
    idx = lab.reshape(n, n)
    a = np.concatenate([idx[:, :-1][right[:, :-1]], idx[:-1, :][down[:-1, :]]])
    b = np.concatenate([idx[:, 1:][right[:, :-1]], idx[1:, :][down[:-1, :]]])
    while True:
        la, lb = lab[a], lab[b]
        low = np.minimum(la, lb)
        if np.array_equal(la, lb):
            return lab.reshape(n, n)
        np.minimum.at(lab, la, low)
        np.minimum.at(lab, lb, low)
        while True:
            up = lab[lab]
            if np.array_equal(up, lab):
                break
            lab = up


def spans(lab):
    return np.intersect1d(lab[0], lab[-1]).size > 0


def one_probability(p, samples, rng):
    crossing, largest = 0, 0.0
    for _ in range(samples):
        right = rng.random((EDGE, EDGE)) < p
        down = rng.random((EDGE, EDGE)) < p
        lab = label(right, down)
        crossing += spans(lab)
        largest += np.bincount(lab.ravel()).max() / lab.size
    return crossing / samples, largest / samples


def main():
    rng = np.random.default_rng(4)
    curve = []
    with open("progress.txt", "w") as log:
        for p in PROBS:
            crossing, largest = one_probability(p, SAMPLES, rng)
            log.write(f"p = {p:.4f}: {crossing:.3f}\n")
            log.flush()
            curve.append({"p": float(p), "crossing": crossing, "largest": largest})
            with open("curve.json", "w") as f:
                json.dump(curve, f, indent=1)
    half = min(curve, key=lambda c: abs(c["crossing"] - 0.5))
    print(f"threshold near {half['p']:.4f}, largest cluster {half['largest']:.3f}")


if __name__ == "__main__":
    main()
