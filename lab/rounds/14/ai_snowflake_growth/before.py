"""Snow crystal growth on a hexagonal lattice (Reiter's model).

Vapour diffuses outside the crystal, cells next to ice are receptive and
collect vapour plus a background gamma. Frames go into flakes.h5, one data
set per flake type [frame, y, x].
"""
from dataclasses import dataclass

import sys

import h5py
import numpy as np

SIZE = 201
FRAMES = 24


@dataclass
class Flake:
    name: str
    alpha: float            # diffusion
    beta: float             # background vapour
    gamma: float            # addition per step
    steps: int


FLAKES = [
    Flake("plate", 1.0, 0.95, 0.0035, 240),
    Flake("sector", 2.0, 0.60, 0.0040, 300),
    Flake("stellar", 2.4, 0.40, 0.0010, 480),
    Flake("dendrite", 2.0, 0.35, 0.0001, 600),
]

# neighbours in axial coordinates (dy, dx)
HEX = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


def neighbours_sum(u):
    s = np.zeros_like(u)
    for dy, dx in HEX:
        s += np.roll(u, (dy, dx), axis=(0, 1))
    return s


def neighbours_any(mask):
    r = np.zeros_like(mask)
    for dy, dx in HEX:
        r |= np.roll(mask, (dy, dx), axis=(0, 1))
    return r


def border(u, value):
    u[0, :] = u[-1, :] = value
    u[:, 0] = u[:, -1] = value


def grow(flake, frames, factor):
    s = np.full((SIZE, SIZE), flake.beta)
    s[SIZE // 2, SIZE // 2] = 1.0
    steps = int(flake.steps * factor)
    every = max(1, steps // FRAMES)
    k = 0
    for step in range(steps):
        ice = s >= 1.0
        receptive = ice | neighbours_any(ice)
        u = np.where(receptive, 0.0, s)
        v = np.where(receptive, s + flake.gamma, 0.0)
        u += flake.alpha / 12.0 * (neighbours_sum(u) - 6.0 * u)
        s = u + v
        border(s, flake.beta)
        if (step + 1) % every == 0 and k < FRAMES:
            frames[k] = s
            k += 1
    return s


def shape_numbers(s):
    ice = s >= 1.0
    area = int(ice.sum())
    edge = int((neighbours_any(ice) & ~ice).sum())
    return area, edge, edge ** 2 / (12.0 * max(area, 1))


def main():
    factor = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    with h5py.File("flakes.h5", "w") as h5:
        for flake in FLAKES:
            d = h5.create_dataset(flake.name, (FRAMES, SIZE, SIZE), "f4", chunks=(1, SIZE, SIZE))
            d.attrs["alpha"], d.attrs["beta"], d.attrs["gamma"] = flake.alpha, flake.beta, flake.gamma
            s = grow(flake, d, factor)
            h5.flush()
            print(f"{flake.name:10s} area %6d  edge %5d  roughness %.2f" % shape_numbers(s))


if __name__ == "__main__":
    main()
