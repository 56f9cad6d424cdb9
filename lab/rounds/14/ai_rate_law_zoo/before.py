# -*- coding: utf-8 -*-
#
# ratelaws - which rate law explains the progress of an enzyme assay?
#
# Every candidate law is a small python module of a contributor. For each
# assay all laws are fitted by a random search with shrinking steps and
# compared by AIC.

import importlib
import os
import sys

import numpy as np

NASSAY = int(sys.argv[1]) if len(sys.argv) > 1 else 8
NTRIAL = int(sys.argv[2]) if len(sys.argv) > 2 else 100
LAWS = ["michaelis", "hill", "haldane", "moser", "tessier", "contois", "aiba", "monod_two"]
S = np.geomspace(0.05, 60.0, 160)
T = np.linspace(0.0, 30.0, 120)
rng = np.random.default_rng(77)

for d in sorted(os.listdir("laws")):
    sys.path.insert(0, os.path.abspath(os.path.join("laws", d)))


def law(name):
    """module of a rate law, as it is now in the folder of its author"""
    sys.modules.pop("law_" + name, None)
    importlib.invalidate_caches()
    return importlib.import_module("law_" + name)


def synthetic_assay():
    vmax, km, ki = rng.uniform(2, 6), rng.uniform(0.8, 4), rng.uniform(15, 60)
    v = vmax * S / (km + S + S * S / ki)
    return v * (1 + rng.normal(0, 0.02, S.size))


def progress(rate, p, s0=8.0):
    """substrate over time (Heun)"""
    s, h, out = s0, T[1] - T[0], []
    for _ in T:
        k1 = -rate(s, p) * 0.1
        k2 = -rate(max(s + h * k1, 0.0), p) * 0.1
        s = max(s + 0.5 * h * (k1 + k2), 1e-9)
        out.append(s)
    return np.array(out)


def misfit(name, p, v):
    r = law(name).rate(S, p)
    return float(np.sum(((r - v) / (0.05 + v)) ** 2))


def fit(name, v):
    best = np.array([4.0, 2.0, 1.5])
    cost = misfit(name, best, v)
    step = 0.6
    for trial in range(NTRIAL):
        p = best * np.exp(rng.normal(0, step, 3))
        c = misfit(name, p, v)
        if c < cost:
            best, cost = p, c
        else:
            step = max(0.02, step * 0.97)
    return best, cost


def main():
    wins = dict.fromkeys(LAWS, 0)
    with open("ranking.txt", "w") as out:
        for a in range(NASSAY):
            v = synthetic_assay()
            rows = []
            for name in LAWS:
                p, c = fit(name, v)
                aic = S.size * np.log(c / S.size) + 2 * p.size
                tail = progress(law(name).rate, p)[-1]
                rows.append((aic, name, p, tail))
            rows.sort(key=lambda r: r[0])
            wins[rows[0][1]] += 1
            for aic, name, p, tail in rows:
                out.write(f"{a:3d} {name:10s} {aic:9.2f} {p[0]:8.4f} {p[1]:8.4f} {p[2]:8.4f} {tail:9.5f}\n")
    print("wins:", {k: n for k, n in wins.items() if n})


main()
