"""Rescoring of docked ligand poses with a short Monte Carlo refinement.

The scoring classes work on pose files (they came from a command line tool),
the driver makes the poses and keeps the best one of each ligand.
"""
import os
import sys
import tempfile
import numpy as np


class Pocket:
    """Receptor atoms near the binding site with simple parameters."""

    def __init__(self, natoms, seed):
        rng = np.random.default_rng(seed)
        direction = rng.normal(size=(natoms, 3))
        direction /= np.linalg.norm(direction, axis=1)[:, None]
        self.xyz = direction * rng.uniform(6.0, 9.0, natoms)[:, None]
        self.charge = rng.normal(0.0, 0.25, natoms)
        self.radius = rng.uniform(1.4, 1.9, natoms)


class Scorer:
    """Pairwise energy of a pose that is given as a file."""

    def __init__(self, pocket):
        self.pocket = pocket
        self.calls = 0

    def score_pose(self, path):
        with open(path, "rb") as handle:
            pose = np.load(handle)
        return self.energy(pose)

    def energy(self, pose):
        self.calls += 1
        delta = pose[:, None, :3] - self.pocket.xyz[None, :, :]
        dist2 = np.einsum("ijk,ijk->ij", delta, delta) + 0.05
        sigma2 = (pose[:, 3, None] + self.pocket.radius[None, :]) ** 2 * 0.8
        ratio = (sigma2 / dist2) ** 3
        lj = 0.1 * (ratio * ratio - 2.0 * ratio)
        coulomb = 83.0 * pose[:, 4, None] * self.pocket.charge / dist2
        return float(np.minimum(lj, 50.0).sum() + coulomb.sum())


def rotation(axis, angle):
    x, y, z = axis / np.linalg.norm(axis)
    c, s = np.cos(angle), np.sin(angle)
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + s * k + (1.0 - c) * (k @ k)


def make_ligand(rng):
    """Columns: x y z radius charge."""
    n = int(rng.integers(14, 26))
    bonds = rng.normal(size=(n, 3))
    bonds *= 1.45 / np.linalg.norm(bonds, axis=1)[:, None]
    atoms = np.empty((n, 5))
    atoms[:, :3] = np.cumsum(bonds, axis=0)
    atoms[:, :3] -= atoms[:, :3].mean(axis=0)
    atoms[:, 3] = rng.uniform(1.3, 1.8, n)
    atoms[:, 4] = rng.normal(0.0, 0.2, n)
    return atoms


class Refinement:
    def __init__(self, scorer, rng, temperature):
        self.scorer = scorer
        self.rng = rng
        self.temperature = temperature

    def evaluate(self, pose):
        return self.scorer.energy(pose)

    def move(self, pose):
        trial = pose.copy()
        turn = rotation(self.rng.normal(size=3), self.rng.normal(0.0, 0.2))
        centre = pose[:, :3].mean(axis=0)
        trial[:, :3] = (pose[:, :3] - centre) @ turn.T + centre
        trial[:, :3] += self.rng.normal(0.0, 0.25, 3)
        return trial

    def run(self, pose, nsteps):
        energy = self.evaluate(pose)
        best = energy
        for _ in range(nsteps):
            trial = self.move(pose)
            e = self.evaluate(trial)
            if e < energy or self.rng.random() < np.exp((energy - e) / self.temperature):
                pose, energy = trial, e
                best = min(best, energy)
        return best


def main():
    nligands, nsteps = int(sys.argv[1]), int(sys.argv[2])
    rng = np.random.default_rng(8)
    scorer = Scorer(Pocket(160, 21))
    refine = Refinement(scorer, rng, 2.0)
    ranking = []
    for k in range(nligands):
        ranking.append((refine.run(make_ligand(rng), nsteps), k))
    ranking.sort()
    for energy, k in ranking[:5]:
        print("ligand %3d  %.6f" % (k, energy))
    print("evaluations %d" % scorer.calls)


if __name__ == "__main__":
    main()
