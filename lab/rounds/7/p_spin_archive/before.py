"""Lattice phi^4 chain: Langevin evolution with archived configurations."""
import sys

import numpy as np


class Lattice:
    def __init__(self, side, seed):
        self.rng = np.random.default_rng(seed)
        self.phi = self.rng.normal(size=(side, side)).astype("f4")
        self.mass2 = np.float32(-0.6)
        self.coupling = np.float32(0.5)

    def drift(self):
        phi = self.phi
        lap = -4.0 * phi
        for axis in (0, 1):
            lap += np.roll(phi, 1, axis) + np.roll(phi, -1, axis)
        return lap - self.mass2 * phi - self.coupling * phi ** 3

    def step(self, dt):
        force = self.drift()
        noise = self.rng.standard_normal(self.phi.shape, dtype="f4")
        self.phi += np.float32(dt) * force + np.float32(np.sqrt(2 * dt)) * noise
        return force

    def action_density(self):
        phi = self.phi
        kinetic = sum((np.roll(phi, 1, a) - phi) ** 2 for a in (0, 1))
        return float(np.mean(0.5 * kinetic + 0.5 * self.mass2 * phi ** 2
                             + 0.25 * self.coupling * phi ** 4))


def archive(path, lattice, force, step):
    np.savez_compressed(
        path,
        phi=lattice.phi,
        force=force,
        spectrum=np.abs(np.fft.rfft2(lattice.phi)).astype("f4"),
        step=np.int64(step),
    )


def evolve(side, configurations, between, dt=0.01):
    lattice = Lattice(side, seed=17)
    trace = []
    for number in range(configurations):
        for _ in range(between):
            force = lattice.step(dt)
        archive(f"conf_{number:04d}.npz", lattice, force, number * between)
        trace.append((lattice.phi.mean(), lattice.action_density()))
    return np.array(trace)


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    configurations = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    trace = evolve(side, configurations, between=1)
    np.savetxt("trace.txt", trace, header="magnetisation action")
    print(f"{configurations} configurations, last magnetisation {trace[-1, 0]:.6f}, "
          f"action density {trace[-1, 1]:.6f}")


if __name__ == "__main__":
    main()
