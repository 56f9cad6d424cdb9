"""Shallow-water spin-up that continues the snapshot series found in the archive folder."""
import glob
import os
import sys

import numpy as np

ARCHIVE = "archive"
NX = 256


def next_number():
    """One above the highest snapshot number present."""
    found = glob.glob(os.path.join(ARCHIVE, "spinup_*.fld"))
    numbers = [int(os.path.basename(p)[7:13]) for p in found]
    return max(numbers) + 1 if numbers else 0


class ShallowWater:
    def __init__(self, n):
        self.dx = 1.0e4
        self.dt = 20.0
        s = np.arange(n)
        self.h = 100.0 + np.exp(-((s - n / 3) / 12.0) ** 2)
        self.u = np.zeros(n)

    def step(self):
        g = 9.81
        self.u -= self.dt * g * (np.roll(self.h, -1) - self.h) / self.dx
        flux = self.u * 0.5 * (self.h + np.roll(self.h, -1))
        self.h -= self.dt * (flux - np.roll(flux, 1)) / self.dx
        self.u *= 0.9999

    def energy(self):
        return float(np.sum(0.5 * self.h * self.u ** 2 + 0.5 * 9.81 * (self.h - 100.0) ** 2))


def save_snapshot(model, number):
    path = os.path.join(ARCHIVE, f"spinup_{number:06d}.fld")
    with open(path, "wb") as fh:
        fh.write(model.h.astype(np.float32).tobytes())
    return number


def main():
    nsnap = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    model = ShallowWater(NX)
    history = []
    last = next_number() - 1
    for _ in range(nsnap):
        for _ in range(10):
            model.step()
        last = save_snapshot(model, last + 1)
        history.append(model.energy())
    np.save("energy.npy", np.array(history))
    print("last snapshot", last, "energy %.5f" % history[-1])


if __name__ == "__main__":
    main()
