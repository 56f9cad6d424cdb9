"""Decaying 2-D turbulence with an ensemble of members, spectral solver.

usage: after.py STEPS DUMP_EVERY
"""
import pickle
import sys
from pathlib import Path

import numpy as np

SIDE = 256
MEMBERS = 3
VISCOSITY = 2.0e-4
DT = 2.0e-3


class SpectralGrid:
    def __init__(self, side):
        k = np.fft.fftfreq(side, 1.0 / side)
        kr = np.fft.rfftfreq(side, 1.0 / side)
        self.kx = k[:, None]
        self.ky = kr[None, :]
        self.k2 = self.kx ** 2 + self.ky ** 2
        self.inv_k2 = 1.0 / np.where(self.k2 == 0, 1.0, self.k2)
        self.inv_k2[0, 0] = 0.0
        self.mask = (np.abs(self.kx) < side / 3) & (self.ky < side / 3)


def initial_vorticity(grid, seed):
    rng = np.random.default_rng(seed)
    amplitude = np.exp(-((np.sqrt(grid.k2) - 10.0) / 4.0) ** 2)
    noise = rng.normal(size=grid.k2.shape) + 1j * rng.normal(size=grid.k2.shape)
    omega = np.fft.irfft2(amplitude * noise)
    return np.fft.rfft2(omega / omega.std() * 8.0)


def tendency(grid, w_hat):
    psi_hat = w_hat * grid.inv_k2
    u = np.fft.irfft2(1j * grid.ky * psi_hat)
    v = np.fft.irfft2(-1j * grid.kx * psi_hat)
    wx = np.fft.irfft2(1j * grid.kx * w_hat)
    wy = np.fft.irfft2(1j * grid.ky * w_hat)
    return -np.fft.rfft2(u * wx + v * wy) * grid.mask - VISCOSITY * grid.k2 * w_hat


def advance(grid, w_hat):
    middle = w_hat + 0.5 * DT * tendency(grid, w_hat)
    return w_hat + DT * tendency(grid, middle)


def diagnostics(grid, w_hat):
    energy = 0.5 * np.sum(np.abs(w_hat) ** 2 * grid.inv_k2) / SIDE ** 4
    enstrophy = 0.5 * np.sum(np.abs(w_hat) ** 2) / SIDE ** 4
    return float(energy), float(enstrophy)


def dump_state(folder, step, grid, ensemble):
    state = {"step": step, "time": step * DT, "members": []}
    for w_hat in ensemble:
        psi_hat = w_hat * grid.inv_k2
        state["members"].append({
            "vorticity": np.fft.irfft2(w_hat),
            "u": np.fft.irfft2(1j * grid.ky * psi_hat),
            "v": np.fft.irfft2(-1j * grid.kx * psi_hat),
        })
    with open(folder / f"state_{step:05d}.pkl", "wb") as out:
        pickle.dump(state, out, protocol=pickle.HIGHEST_PROTOCOL)


def main():
    steps, dump_every = int(sys.argv[1]), int(sys.argv[2])
    folder = Path("states")
    folder.mkdir(exist_ok=True)
    grid = SpectralGrid(SIDE)
    ensemble = [initial_vorticity(grid, seed) for seed in range(MEMBERS)]
    history = []
    for step in range(1, steps + 1):
        ensemble = [advance(grid, w_hat) for w_hat in ensemble]
        history.append([diagnostics(grid, w_hat) for w_hat in ensemble])
        if step % dump_every == 0:
            dump_state(folder, step, grid, ensemble)
    history = np.array(history)
    np.save("history.npy", history)
    print(f"energy {history[-1, :, 0].mean():.6f} enstrophy {history[-1, :, 1].mean():.4f}")


if __name__ == "__main__":
    main()
