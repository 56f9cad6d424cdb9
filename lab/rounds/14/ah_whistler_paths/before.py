# whistler_paths.py -- travel times of whistlers along dipole field lines
#
# Lightning emits a broadband pulse which follows the Earth's magnetic field in
# ducts; high frequencies arrive first (until the nose).  For each L shell the
# group delay is integrated, then the dispersion curves are inverted for the
# equatorial electron density by simulated annealing.
#
# State of the inversion is kept in state.txt so that an interrupted run can be
# taken up again.
import math
import os

import numpy as np

RE = 6.371e6
C = 2.998e8
SHELLS = np.linspace(2.2, 4.6, 13)
FREQ = np.linspace(1.5e3, 9.5e3, 33)
POINTS = 241
SWEEPS = 12000
CHECKPOINTS = 3


def field_line(L):
    edge = math.acos(math.sqrt(1 / L))
    lat = np.linspace(-edge, edge, POINTS)
    c = np.cos(lat)
    s = np.sin(lat)
    ds = RE * L * c * np.sqrt(1 + 3 * s * s)
    b = 3.12e-5 / L ** 3 * np.sqrt(1 + 3 * s * s) / c ** 6
    fh = 28e9 * b
    return lat, ds, fh, L * c * c


def plasma_frequency(r, density):
    ne = density * (2.0 / r) ** 4
    return 8.98e3 * np.sqrt(ne)


def delays(line, density):
    lat, ds, fh, r = line
    fp = plasma_frequency(r, density)
    f = FREQ[:, None]
    n_group = fp * fh / (2 * np.sqrt(f) * (fh - f) ** 1.5)
    y = np.where(fh > f, n_group, 0.0) * ds / C
    return 0.5 * (y[:, 1:] + y[:, :-1]).sum(axis=1) * (lat[1] - lat[0])


def save(sweep, density, cost):
    with open("state.tmp", "w") as f:
        f.write(f"{sweep}\n")
        for L, n, c in zip(SHELLS, density, cost):
            f.write(f"{L:.3f} {n:.6e} {c:.6e}\n")
        f.flush()
        os.fsync(f.fileno())
    os.replace("state.tmp", "state.txt")


def invert(lines, observed, rng):
    density = np.full(len(SHELLS), 1500.0)
    cost = np.array([np.sum((delays(l, d) - o) ** 2) for l, d, o in zip(lines, density, observed)])
    start = 0
    if os.path.exists("state.txt"):
        with open("state.txt") as f:
            start = int(f.readline()) + 1
            table = np.loadtxt(f)
        density, cost = table[:, 1], table[:, 2]
    temperature = 1e-2
    for sweep in range(start, SWEEPS):
        k = sweep % len(SHELLS)
        trial = density[k] * math.exp(0.15 * rng.normal())
        c = np.sum((delays(lines[k], trial) - observed[k]) ** 2)
        if c < cost[k] or rng.random() < math.exp((cost[k] - c) / temperature):
            density[k], cost[k] = trial, c
        temperature *= 0.999
        if (sweep + 1) % (SWEEPS // CHECKPOINTS) == 0:
            save(sweep, density, cost)
    return density, cost


def main():
    rng = np.random.default_rng(1953)
    lines = [field_line(L) for L in SHELLS]
    truth = 2400.0 * np.exp(-0.45 * (SHELLS - 2.2))
    observed = [delays(l, n) + rng.normal(0, 2e-3, len(FREQ)) for l, n in zip(lines, truth)]
    density, cost = invert(lines, observed, rng)
    np.savetxt("density.txt", np.column_stack([SHELLS, density, truth]),
               fmt="%10.4f", header="L   fitted   true (cm-3)")
    print("mean relative error %.4f" % np.mean(np.abs(density / truth - 1)))


main()
