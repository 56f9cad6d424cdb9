"""Brownian dynamics of a bead chain; frames are numbered on from those already there."""
import os
import sys

import numpy as np

N_BEADS = 64
DT = 2.0e-4
FRAME_DIR = "frames"


def initial_chain(rng):
    steps = rng.normal(0, 1, (N_BEADS, 3))
    steps /= np.linalg.norm(steps, axis=1)[:, None]
    return np.cumsum(steps, axis=0)


def bond_forces(pos, stiffness=80.0):
    bond = np.diff(pos, axis=0)
    length = np.sqrt((bond * bond).sum(axis=1))
    pull = (stiffness * (length - 1.0) / length)[:, None] * bond
    force = np.zeros_like(pos)
    force[:-1] += pull
    force[1:] -= pull
    return force


def radius_of_gyration(pos):
    centred = pos - pos.mean(axis=0)
    return float(np.sqrt((centred * centred).sum(axis=1).mean()))


class Trajectory:
    def __init__(self, folder, every):
        self.folder = folder
        self.every = every
        os.makedirs(folder, exist_ok=True)

    def next_index(self):
        return len(os.listdir(self.folder))

    def record(self, step, pos):
        index = self.next_index()
        if step % self.every == 0:
            name = os.path.join(self.folder, "frame_%06d.npy" % index)
            np.save(name, pos.astype(np.float32))
        return index


def main():
    n_steps = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    rng = np.random.default_rng(42)
    pos = initial_chain(rng)
    trajectory = Trajectory(FRAME_DIR, every=100)
    gyration = []
    frame = 0
    for step in range(n_steps):
        noise = rng.normal(0, 1, pos.shape)
        pos = pos + DT * bond_forces(pos) + np.sqrt(2 * DT) * noise
        gyration.append((frame, radius_of_gyration(pos)))
        frame = trajectory.record(step, pos)
    print("frames %d  last Rg %.6f  mean Rg %.6f" % (
        frame, gyration[-1][1], sum(g for _, g in gyration) / n_steps))


if __name__ == "__main__":
    main()
