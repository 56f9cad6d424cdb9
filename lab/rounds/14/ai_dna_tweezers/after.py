#!/usr/bin/env python3
"""Optical tweezers: pulling a DNA hairpin through its unfolding transition.

The tether is an extensible worm-like chain with a two-state hairpin; the
bead position is Brownian in the trap. NS samples are averaged to one point
of the force ramp; the ramp goes into ramp.nc.
"""
import sys

import netCDF4
import numpy as np

KT = 4.11               # pN nm
LP = 45.0               # nm, persistence length
LC = 340.0              # nm, contour length of the handles
K0 = 1000.0             # pN, stretch modulus
KTRAP = 0.25            # pN/nm
FHALF = 14.6            # pN, unfolding force
DX = 18.0               # nm, opening of the hairpin
NS = 64                 # samples per point

POINTS = int(sys.argv[1]) if len(sys.argv) > 1 else 4500

COLUMNS = {
    "extension": "nm",
    "force": "pN",
    "force_sd": "pN",
    "open_fraction": "1",
    "work": "kT",
}


class Ramp:
    """Recording of a force ramp."""

    def __init__(self, name, points):
        self.nc = netCDF4.Dataset(name, "w")
        self.nc.createDimension("point", points)
        self.var = {}
        self.rows = np.empty((points, len(COLUMNS)))
        for col, unit in COLUMNS.items():
            self.var[col] = self.nc.createVariable(col, "f8", ("point",))
            self.var[col].units = unit

    def put(self, i, values):
        self.rows[i] = values

    def close(self):
        for k, col in enumerate(COLUMNS):
            self.var[col][:] = self.rows[:, k]
        self.nc.close()


def wlc_extension(f):
    """extension of the handles at force f (Odijk)"""
    return LC * (1 - 0.5 * np.sqrt(KT / (f * LP)) + f / K0)


def hairpin(f, state, rng):
    """two-state trajectory; the hairpin may switch about once in 40 samples"""
    p_open = 1 / (1 + np.exp(-(f - FHALF) * DX / KT))
    want = rng.random(NS) < p_open
    states = np.full(NS, float(state))
    hops = 0
    for k in np.flatnonzero(rng.random(NS) < 0.025):
        if state != want[k]:
            state = int(want[k])
            states[k:] = state
            hops += 1
    return states, state, hops


def simulate(points, rng, rec):
    state = hops = 0
    work = 0.0
    last = None
    for i in range(points):
        f = 3.0 + 22.0 * i / points + 0.002 * np.arange(NS)
        states, state, h = hairpin(f, state, rng)
        hops += h
        x = wlc_extension(f) + DX * states
        noise = rng.normal(0, np.sqrt(KT / KTRAP), NS)
        force = f - KTRAP * 0.3 * noise
        mean = x.mean()
        if last is not None:
            work += force.mean() * (mean - last)
        last = mean
        rec.put(i, ((x + noise).mean(), force.mean(), force.std(), states.mean(), work / KT))
    return hops, work


def main():
    rec = Ramp("ramp.nc", POINTS)
    hops, work = simulate(POINTS, np.random.default_rng(2718), rec)
    rec.close()
    print(f"{hops} transitions, work {work / KT:.2f} kT")


if __name__ == "__main__":
    main()
