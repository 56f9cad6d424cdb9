"""1D electrostatic particle-in-cell run with restart files that are replaced safely."""
import os
import sys
import tempfile

import numpy as np

NGRID = 256
RESTART_EVERY = 300


class Plasma:
    def __init__(self, npart, seed):
        rng = np.random.default_rng(seed)
        self.length = 2 * np.pi
        self.x = rng.uniform(0, self.length, npart)
        self.v = np.where(np.arange(npart) % 2, 1.0, -1.0) + 0.05 * rng.standard_normal(npart)
        self.dx = self.length / NGRID
        k = np.fft.rfftfreq(NGRID, d=self.dx) * 2 * np.pi
        k[0] = 1.0
        self.green = 1.0 / (k * k)
        self.green[0] = 0.0

    def field(self):
        cell = (self.x / self.dx).astype(int) % NGRID
        frac = self.x / self.dx - np.floor(self.x / self.dx)
        rho = np.bincount(cell, weights=1 - frac, minlength=NGRID)
        rho += np.bincount((cell + 1) % NGRID, weights=frac, minlength=NGRID)
        rho = 1.0 - rho * NGRID / self.x.size
        phi = np.fft.irfft(self.green * np.fft.rfft(rho), NGRID)
        efield = (np.roll(phi, 1) - np.roll(phi, -1)) / (2 * self.dx)
        return (1 - frac) * efield[cell] + frac * efield[(cell + 1) % NGRID], efield

    def step(self, dt):
        force, efield = self.field()
        self.v -= dt * force
        self.x = (self.x + dt * self.v) % self.length
        return 0.5 * float(np.sum(efield ** 2)) * self.dx


def write_restart(plasma, step, folder="restart"):
    """Each array to a shard of its own; a temporary file first, then renamed."""
    os.makedirs(folder, exist_ok=True)
    for name, array in (("x", plasma.x), ("v", plasma.v), ("step", np.array([step]))):
        fd, tmp = tempfile.mkstemp(dir=folder, suffix=".tmp")
        with os.fdopen(fd, "wb") as fh:
            np.save(fh, array)
        os.replace(tmp, os.path.join(folder, f"{name}.npy"))


def main():
    nsteps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    plasma = Plasma(20000, 17)
    energy = np.zeros(nsteps)
    for step in range(nsteps):
        energy[step] = plasma.step(0.05)
        if (step + 1) % RESTART_EVERY == 0:
            write_restart(plasma, step)
    np.savetxt("energy.txt", energy[::5], fmt="%.6e")
    print("steps", nsteps, "field energy %.6e" % energy[-1])


if __name__ == "__main__":
    main()
