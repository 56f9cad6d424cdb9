#!/usr/bin/env python3
# Mosquito swarm above a marker: density maps for a swarm of hovering males.
#   swarm.h5:/density   (frame, y, x)   one map per frame
#   swarm.h5:/centre    (frame, 3)
import argparse

import h5py
import numpy as np


def parse():
    p = argparse.ArgumentParser(description="simulate a mating swarm")
    p.add_argument("--frames", type=int, default=180)
    p.add_argument("--males", type=int, default=6000)
    p.add_argument("--grid", type=int, default=320)
    p.add_argument("--substeps", type=int, default=10)
    return p.parse_args()


class Swarm:
    """Harmonic attraction to the marker, damping, and correlated noise."""

    K = 2.1          # 1/s^2
    GAMMA = 0.9      # 1/s
    SIGMA = 0.65     # m/s^1.5
    SIZE = 1.6       # half width of the view, m

    def __init__(self, males, seed):
        self.rng = np.random.default_rng(seed)
        self.x = 0.4 * self.rng.standard_normal((males, 3))
        self.v = 0.3 * self.rng.standard_normal((males, 3))

    def step(self, dt):
        kick = self.rng.standard_normal(self.x.shape)
        kick *= self.SIGMA * np.sqrt(dt)
        self.v += dt * (-self.K * self.x - self.GAMMA * self.v) + kick
        self.x += dt * self.v

    def map(self, grid):
        scale = grid / (2 * self.SIZE)
        i = np.clip(((self.x[:, 0] + self.SIZE) * scale).astype(int), 0, grid - 1)
        j = np.clip(((self.x[:, 2] + self.SIZE) * scale).astype(int), 0, grid - 1)
        flat = np.bincount(j * grid + i, minlength=grid * grid)
        return flat.reshape(grid, grid)


def blur_kernel(grid, width):
    f = np.fft.fftfreq(grid)[:, None] ** 2 + np.fft.rfftfreq(grid)[None, :] ** 2
    return np.exp(-2 * (np.pi * width) ** 2 * f)


def main():
    opt = parse()
    swarm = Swarm(opt.males, seed=17)
    kernel = blur_kernel(opt.grid, 2.5)
    shape = (opt.frames, opt.grid, opt.grid)
    spread = []
    with h5py.File("swarm.h5", "w") as out:
        density = out.create_dataset("density", shape, "f4", chunks=(1, opt.grid, opt.grid))
        centre = np.empty((opt.frames, 3))
        for frame in range(opt.frames):
            for _ in range(opt.substeps):
                swarm.step(0.04 / opt.substeps)
            smooth = np.fft.irfft2(np.fft.rfft2(swarm.map(opt.grid)) * kernel, s=shape[1:])
            density[frame] = smooth
            centre[frame] = swarm.x.mean(axis=0)
            spread.append(swarm.x.std())
        out["centre"] = centre
        density.attrs["metres_per_cell"] = 2 * Swarm.SIZE / opt.grid
    print(f"{opt.frames} frames, spread {np.mean(spread):.4f} m, "
          f"drift of the centre {np.ptp(centre[:, 2]):.4f} m")


if __name__ == "__main__":
    main()
