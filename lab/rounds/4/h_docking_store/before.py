"""Rigid docking of ligands to a pocket, results in an SQLite database.

usage: before.py LIGANDS POSES
"""
import sqlite3
import sys

import numpy as np

DATABASE = "docking.db"
BATCH = 25


def open_database():
    db = sqlite3.connect(DATABASE)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("""CREATE TABLE IF NOT EXISTS pose (
        ligand TEXT, pose INTEGER, energy REAL, contacts INTEGER,
        qw REAL, qx REAL, qy REAL, qz REAL,
        PRIMARY KEY (ligand, pose))""")
    return db


def make_pocket(rng, n_atoms=190):
    atoms = rng.normal(0, 1, (n_atoms, 3))
    atoms *= 9.0 / np.linalg.norm(atoms, axis=1)[:, None]
    return atoms + rng.normal(0, 0.7, atoms.shape), rng.normal(0, 0.3, n_atoms)


def make_ligand(rng, n_atoms=26):
    steps = rng.normal(0, 0.8, (n_atoms, 3))
    chain = np.cumsum(steps, axis=0)
    return chain - chain.mean(axis=0), rng.normal(0, 0.3, n_atoms)


def rotation(quaternion):
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def score(pocket, pocket_charge, ligand, ligand_charge):
    d2 = ((pocket[:, None, :] - ligand[None, :, :]) ** 2).sum(axis=-1) + 0.5
    s6 = (3.4 ** 2 / d2) ** 3
    lennard_jones = 0.2 * (s6 * s6 - 2.0 * s6)
    coulomb = 332.0 / 4.0 * pocket_charge[:, None] * ligand_charge[None, :] / d2
    return float(np.clip(lennard_jones + coulomb, -50, 50).sum()), int((d2 < 16.0).sum())


def dock(rng, pocket, pocket_charge, name, poses):
    ligand, charge = make_ligand(rng)
    rows = []
    for pose in range(poses):
        quaternion = rng.normal(size=4)
        placed = ligand @ rotation(quaternion).T + rng.normal(0, 1.5, 3)
        energy, contacts = score(pocket, pocket_charge, placed, charge)
        rows.append((name, pose, energy, contacts, *quaternion.tolist()))
    return rows


def screen(db, n_ligands, poses):
    rng = np.random.default_rng(77)
    pocket, pocket_charge = make_pocket(rng)
    waiting = []
    for k in range(n_ligands):
        waiting += dock(rng, pocket, pocket_charge, f"ZINC{k:06d}", poses)
        if (k + 1) % BATCH == 0 or k + 1 == n_ligands:
            with db:
                db.executemany("INSERT OR REPLACE INTO pose VALUES (?, ?, ?, ?, ?, ?, ?, ?)", waiting)
            waiting.clear()


def report(db, n_best=5):
    query = """SELECT ligand, MIN(energy) AS best, MAX(contacts) FROM pose
               GROUP BY ligand ORDER BY best LIMIT ?"""
    for ligand, energy, contacts in db.execute(query, (n_best,)):
        print(f"{ligand} {energy:10.3f} {contacts:5d}")


def main():
    n_ligands, poses = int(sys.argv[1]), int(sys.argv[2])
    db = open_database()
    screen(db, n_ligands, poses)
    report(db)
    db.close()


if __name__ == "__main__":
    main()
