"""Rigid docking of small ligands into a model binding pocket.

The ligands wait in a queue; each one is placed at a number of random poses,
scored with a Lennard-Jones and a screened Coulomb term, and the best pose is
kept. A run may be broken off and taken up again: what is done stays done.
"""
import os
import sys

import numpy as np

POSES = 24
ATOMS = 7


class Queue:
    """Ligands to be docked, and how far each of them is."""

    def __init__(self, folder):
        self.journal = open(os.path.join(folder, "done.list"), "a+")
        self.journal.seek(0)
        done = set(self.journal.read().split())
        self.waiting = sorted(n[:-5] for n in os.listdir(folder)
                              if n.endswith(".todo") and n[:-5] not in done)

    def claim(self, ligand):
        pass

    def finish(self, ligand):
        self.journal.write(ligand + "\n")

    def close(self):
        self.journal.close()


class Pocket:
    """A half-open shell of charged spheres."""

    def __init__(self, seed=1):
        rng = np.random.default_rng(seed)
        v = rng.normal(size=(60, 3))
        v[:, 2] = -np.abs(v[:, 2])
        self.xyz = 8.0 * v / np.linalg.norm(v, axis=1, keepdims=True)
        self.charge = rng.choice([-0.4, 0.0, 0.4], size=60)

    def score(self, xyz, charge):
        """Energy of each pose; xyz has the shape (poses, atoms, 3)."""
        r2 = ((xyz ** 2).sum(-1)[..., None] + (self.xyz ** 2).sum(-1)
              - 2.0 * xyz @ self.xyz.T)
        r2 = np.maximum(r2, 1.5)
        s6 = (12.0 / r2) ** 3
        lj = 0.15 * (s6 * s6 - 2.0 * s6)
        coul = 332.0 * charge[:, None] * self.charge / (80.0 * np.sqrt(r2))
        return (lj + coul).sum(axis=(1, 2))


def make_ligand(rng):
    """A branched chain of atoms with partial charges that add up to zero."""
    steps = rng.normal(size=(ATOMS, 3))
    xyz = np.cumsum(1.5 * steps / np.linalg.norm(steps, axis=1, keepdims=True), axis=0)
    q = rng.normal(0, 0.3, ATOMS)
    return xyz - xyz.mean(axis=0), q - q.mean()


def random_poses(xyz, rng):
    q = rng.normal(size=(POSES, 4))
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rot = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    return xyz @ rot.transpose(2, 1, 0) + rng.normal(0, 2.0, (POSES, 1, 3))


def dock(ligand, pocket):
    rng = np.random.default_rng(int(ligand[3:]))
    xyz, charge = make_ligand(rng)
    return float(pocket.score(random_poses(xyz, rng), charge).min())


def main():
    queue = Queue("queue")
    pocket = Pocket()
    todo = queue.waiting[:int(sys.argv[1])] if len(sys.argv) > 1 else queue.waiting
    best = {}
    for ligand in todo:
        queue.claim(ligand)
        best[ligand] = dock(ligand, pocket)
        queue.finish(ligand)
    queue.close()
    ranked = sorted(best, key=best.get)
    with open("ranking.txt", "w") as out:
        for ligand in ranked:
            out.write(f"{ligand} {best[ligand]:.4f}\n")
    print(f"{len(best)} ligands docked; best: {ranked[0]} with {best[ranked[0]]:.3f} kcal/mol")


if __name__ == "__main__":
    main()
