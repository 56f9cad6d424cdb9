"""Box model of a small chemical mechanism; reaction rates come from the chemops package."""
import importlib
import os
import sys

import numpy as np

sys.path.insert(0, os.getcwd())

import chemops

MECHANISM = [
    "photolysis.r0003", "photolysis.r0017", "photolysis.r0120",
    "thermal.r0001", "thermal.r0002", "thermal.r0044", "thermal.r0310",
    "termolecular.r0009", "termolecular.r0010",
    "surface.r0255", "aqueous.r0031", "aqueous.r0032",
]


def load_operators():
    for name in MECHANISM:
        importlib.import_module("chemops." + name)
    return chemops.REGISTRY


def build_rates(registry, temperature, pressure):
    rates = []
    for name in MECHANISM:
        order, fn = registry[name]
        rates.append(fn(temperature, pressure))
    return np.array(rates)


def tendency(conc, rates, pairs):
    d = np.zeros_like(conc)
    for k, (a, b, c) in enumerate(pairs):
        flux = rates[k] * conc[a] * conc[b]
        d[a] -= flux
        d[b] -= flux
        d[c] += flux
    return d


def integrate(conc, rates, pairs, dt, nsteps):
    for _ in range(nsteps):
        k1 = tendency(conc, rates, pairs)
        k2 = tendency(conc + 0.5 * dt * k1, rates, pairs)
        conc = conc + dt * k2
        np.maximum(conc, 0.0, out=conc)
    return conc


def main():
    nsteps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    registry = load_operators()
    rng = np.random.default_rng(7)
    nspecies = 8
    pairs = [tuple(rng.choice(nspecies, 3, replace=False)) for _ in MECHANISM]
    conc = rng.random(nspecies)
    for temperature in (250.0, 280.0, 300.0):
        rates = build_rates(registry, temperature, 1.0)
        final = integrate(conc, rates, pairs, 0.01, nsteps)
        print("T=%.0f K  total=%.6f  max=%.6f" % (temperature, final.sum(), final.max()))


if __name__ == "__main__":
    main()
