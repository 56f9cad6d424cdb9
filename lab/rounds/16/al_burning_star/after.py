"""Hydrogen burning in the core of a star: abundances of the pp chain and CNO cycle.

The rate of each reaction is a plug-in module rate_NAME in the folder 'rates'.
usage: burning.py temperature_in_1e6K steps
"""
import glob
import importlib
import os
import sys

import numpy as np

DENSITY = 150.0          # g/cm^3
YEAR = 3.156e7
SPECIES = ["h1", "he3", "he4", "be7", "c12", "n14", "n15", "o16"]
MASS = np.array([1, 3, 4, 7, 12, 14, 15, 16], float)
START = dict(h1=0.70, he3=1e-5, he4=0.28, be7=0.0, c12=3e-3, n14=1e-3, n15=1e-6, o16=9e-3)
Q = dict(p_p=1.6, he3_he3=12.86, he3_he4=1.59, be7_p=17.0,
         c12_p=11.0, n14_p=9.0, n15_p=4.97, o16_p=2.3)       # MeV
# reaction: consumed and produced nuclei
NETWORK = {
    "p_p": ({"h1": 3}, {"he3": 1}),
    "he3_he3": ({"he3": 2}, {"he4": 1, "h1": 2}),
    "he3_he4": ({"he3": 1, "he4": 1}, {"be7": 1}),
    "be7_p": ({"be7": 1, "h1": 1}, {"he4": 2}),
    "c12_p": ({"c12": 1, "h1": 2}, {"n14": 1}),
    "n14_p": ({"n14": 1, "h1": 1}, {"n15": 1}),
    "n15_p": ({"n15": 1, "h1": 1}, {"c12": 1, "he4": 1}),
    "o16_p": ({"o16": 1, "h1": 2}, {"n15": 1}),
}
INDEX = {s: i for i, s in enumerate(SPECIES)}


def search_path():
    """Rates of the site come first, then the standard ones of this folder."""
    here = os.getcwd()
    sys.path[:0] = sorted(glob.glob(os.path.join(here, "site", "*")))
    sys.path.append(os.path.join(here, "rates"))


def rate_module(reaction):
    name = "rate_" + reaction
    return importlib.import_module(name)


def flow(reaction, y, t9):
    """Reactions per gram and second, and the temperature exponent."""
    module = rate_module(reaction)
    partners = [INDEX[s] for s in NETWORK[reaction][0]]
    if len(partners) == 1:
        pair = 0.5 * y[partners[0]] ** 2
    else:
        pair = y[partners[0]] * y[partners[1]]
    return DENSITY * pair * module.rate(t9), module.slope(t9)


def derivatives(y, t9):
    dy = np.zeros(len(SPECIES))
    energy, exponent = 0.0, 0.0
    for reaction, (used, made) in NETWORK.items():
        f, slope = flow(reaction, y, t9)
        for s, n in used.items():
            dy[INDEX[s]] -= n * f
        for s, n in made.items():
            dy[INDEX[s]] += n * f
        energy += Q[reaction] * f
        exponent += slope * Q[reaction] * f
    return dy, energy, exponent / max(energy, 1e-300)


def main():
    t6 = float(sys.argv[1]) if len(sys.argv) > 1 else 16.0
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    search_path()
    y = np.array([START[s] for s in SPECIES]) / MASS
    time = 0.0
    with open("burning.txt", "w") as out:
        for step in range(steps):
            t9 = t6 * 1e-3 * (1.0 + 0.1 * step / steps)
            dy, energy, exponent = derivatives(y, t9)
            fastest = np.max(np.abs(dy) / (y + 1e-7))
            dt = min(0.02 / fastest, 2e7 * YEAR)
            y = np.maximum(y + dt * dy, 0.0)
            time += dt
            if step % 50 == 0:
                out.write("%12.5e %10.4e %s\n" % (time / YEAR, energy,
                                                   " ".join("%.5e" % v for v in y * MASS)))
    print("after %.4e years: hydrogen %.5f, exponent of temperature %.3f"
          % (time / YEAR, y[0] * MASS[0], exponent))


if __name__ == "__main__":
    main()
