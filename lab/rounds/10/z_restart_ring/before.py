"""Shallow-water model on a small basin which keeps its latest restart states.

restart.001 is always the newest state, restart.002 the one before, and so on.
"""
import argparse
import os
import struct

import numpy as np


class Basin:
    def __init__(self, n):
        self.n = n
        y, x = np.mgrid[0:n, 0:n] / n
        self.h = 1.0 + 0.3 * np.exp(-((x - 0.4) ** 2 + (y - 0.55) ** 2) / 0.01)
        self.u = np.zeros((n, n))
        self.v = np.zeros((n, n))

    def step(self, dt=0.08, g=1.0, f=0.05):
        gx = (np.roll(self.h, -1, 1) - np.roll(self.h, 1, 1)) / 2
        gy = (np.roll(self.h, -1, 0) - np.roll(self.h, 1, 0)) / 2
        u = self.u - dt * (g * gx - f * self.v)
        v = self.v - dt * (g * gy + f * self.u)
        div = (np.roll(u, -1, 1) - np.roll(u, 1, 1) + np.roll(v, -1, 0) - np.roll(v, 1, 0)) / 2
        self.h = self.h - dt * div
        self.u, self.v = 0.999 * u, 0.999 * v

    def energy(self):
        return float(((self.h - 1.0) ** 2 + self.u ** 2 + self.v ** 2).sum())

    def pack(self, step):
        return struct.pack("<ii", step, self.n) + self.h.astype("<f4").tobytes()


class Restarts:
    def __init__(self, folder, keep):
        self.folder = folder
        self.keep = keep
        self.have = 0
        os.makedirs(folder, exist_ok=True)

    def name(self, age):
        return os.path.join(self.folder, f"restart.{age:03d}")

    def store(self, blob):
        if self.have == self.keep:
            os.unlink(self.name(self.keep))
            self.have -= 1
        for age in range(self.have, 0, -1):
            os.chmod(self.name(age), 0o644)
            os.rename(self.name(age), self.name(age + 1))
            os.chmod(self.name(age + 1), 0o444)
        with open(self.name(1), "wb") as fh:
            fh.write(blob)
        os.chmod(self.name(1), 0o444)
        self.have += 1

    def close(self):
        pass


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=600)
    ap.add_argument("--keep", type=int, default=60)
    args = ap.parse_args()
    basin = Basin(48)
    restarts = Restarts("restarts", args.keep)
    for step in range(args.steps):
        basin.step()
        restarts.store(basin.pack(step))
    restarts.close()
    print(f"energy {basin.energy():.8f}  volume {basin.h.sum():.6f}")


if __name__ == "__main__":
    main()
