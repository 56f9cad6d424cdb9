"""Bootstrap ensemble of a logistic growth fit; the members are computed by two processes and merged at the end."""
import os
from multiprocessing import get_context

import numpy as np

MEMBERS = 24
SEARCH = ("site.cfg", os.path.join("etc", "growth.cfg"), "growth.cfg")


def settings():
    values = {"iterations": 60, "draws": 35, "points": 2000}
    for path in SEARCH:
        if os.path.exists(path):
            with open(path) as f:
                values.update((k, int(v)) for k, v in (line.split() for line in f))
            break
    return values


def observations(points):
    rng = np.random.default_rng(1)
    t = np.linspace(0, 12, points)
    return t, 8.0 / (1 + np.exp(-0.9 * (t - 5.5))) + rng.normal(0, 0.25, points)


def fit(t, y, iterations):
    """Damped Gauss-Newton for K / (1 + exp(-r (t - t0)))."""
    p = np.array([7.0, 0.6, 5.0])
    for _ in range(iterations):
        e = np.exp(-p[1] * (t - p[2]))
        d = 1 + e
        res = y - p[0] / d
        j = np.stack([1 / d, p[0] * (t - p[2]) * e / d ** 2, -p[0] * p[1] * e / d ** 2])
        p = p + 0.5 * np.linalg.solve(j @ j.T + 1e-9 * np.eye(3), j @ res)
    return p


def member(task):
    k, cfg = task
    rng = np.random.default_rng(100 + k)
    t, y = observations(cfg["points"])
    rows = []
    for _ in range(cfg["draws"]):
        pick = rng.integers(0, len(t), len(t))
        rows.append(fit(t[pick], y[pick], cfg["iterations"]))
    final = os.path.join("members", f"member_{k:03d}.npy")
    np.save(final + ".part.npy", np.array(rows))
    os.replace(final + ".part.npy", final)
    return final


def main():
    cfg = settings()
    os.makedirs("members", exist_ok=True)
    with get_context("fork").Pool(2) as pool:
        files = pool.map(member, [(k, cfg) for k in range(MEMBERS)], chunksize=1)
    draws = np.concatenate([np.load(f) for f in files])
    low, mid, high = np.percentile(draws, [2.5, 50, 97.5], axis=0)
    with open("summary.txt", "w") as f:
        for name, a, b, c in zip(("K", "r", "t0"), low, mid, high):
            f.write(f"{name} {a:.6f} {b:.6f} {c:.6f}\n")
    print(len(draws), "draws, r =", f"{mid[1]:.6f}")


if __name__ == "__main__":
    main()
