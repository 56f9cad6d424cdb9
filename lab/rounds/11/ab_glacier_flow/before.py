"""Shallow-ice model of a mountain ice cap with elevation-dependent mass balance.

Explicit diffusion of the ice thickness on a square grid. The state is put
away every CHECK years so that a run can go on after a power cut.
"""
import os
import sys

import numpy as np

YEARS = int(sys.argv[1]) if len(sys.argv) > 1 else 300
N = 160                             # grid points per side
DX = 500.0                          # m
DT = 0.05                           # years
CHECK = 20.0                        # years between two saved states

RHO, G, GLEN_N = 910.0, 9.81, 3
RATE = 1.0e-16                      # Glen's rate factor, 1/(Pa^3 a)
GAMMA = 2.0 / (GLEN_N + 2) * RATE * (RHO * G) ** GLEN_N
ELA = 1600.0                        # m, equilibrium line
GRADIENT, MAX_BALANCE = 0.006, 1.5  # 1/a, m/a


def bedrock():
    x = (np.arange(N) - N / 2) * DX
    xx, yy = np.meshgrid(x, x)
    r2 = xx ** 2 + yy ** 2
    return 2200.0 * np.exp(-r2 / 2.5e9) + 120.0 * np.sin(xx / 6000.0) * np.cos(yy / 8000.0)


def balance(surface):
    return np.minimum(GRADIENT * (surface - ELA), MAX_BALANCE)


def step(h, bed):
    s = bed + h
    sx = (s[1:, :] - s[:-1, :]) / DX
    sy = (s[:, 1:] - s[:, :-1]) / DX
    hx = 0.5 * (h[1:, :] + h[:-1, :])
    hy = 0.5 * (h[:, 1:] + h[:, :-1])
    dx = np.minimum(GAMMA * hx ** 5 * sx ** 2, 0.2 * DX * DX / DT)
    dy = np.minimum(GAMMA * hy ** 5 * sy ** 2, 0.2 * DX * DX / DT)
    qx, qy = dx * sx, dy * sy
    new = h.copy()
    new[1:-1, 1:-1] += DT / DX * (qx[1:, 1:-1] - qx[:-1, 1:-1] + qy[1:-1, 1:] - qy[1:-1, :-1])
    new += DT * balance(s)
    return np.maximum(new, 0.0)


def save_state(h, year):
    with open("state.tmp", "wb") as f:
        np.save(f, np.array([year]))
        np.save(f, h)
        f.flush()
        os.fsync(f.fileno())
    os.replace("state.tmp", "state.npy")


def load_state():
    """state of an interrupted run, if there is one"""
    if not os.path.exists("state.npy"):
        return np.zeros((N, N)), 0.0
    with open("state.npy", "rb") as f:
        year = float(np.load(f)[0])
        return np.load(f), year


def main():
    bed = bedrock()
    h, start = load_state()
    nstep = int(round((YEARS - start) / DT))
    per_check = int(round(CHECK / DT))
    volumes = []
    for k in range(1, nstep + 1):
        h = step(h, bed)
        if k % per_check == 0:
            year = start + k * DT
            volumes.append((year, h.sum() * DX * DX * 1e-9, int((h > 1.0).sum())))
            save_state(h, year)
    with open("volume.txt", "w") as f:
        for year, volume, cells in volumes:
            f.write(f"{year:8.2f} {volume:12.4f} {cells * DX * DX * 1e-6:10.2f}\n")
    print(f"year {YEARS}: volume {volumes[-1][1]:.2f} km3, thickest ice {h.max():.1f} m")


main()
