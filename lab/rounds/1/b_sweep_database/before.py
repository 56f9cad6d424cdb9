"""Sweep the parameters of a predator-prey model and keep the outcomes in a database."""
import itertools
import os
import sqlite3
import sys

import numpy as np


def simulate(alpha, beta, delta, gamma, nsteps, dt):
    prey = np.full(32, 10.0) + np.arange(32) * 0.1
    predator = np.full(32, 5.0)
    highest = 0.0
    for _ in range(nsteps):
        dprey = alpha * prey - beta * prey * predator
        dpred = delta * prey * predator - gamma * predator
        prey = prey + dt * dprey
        predator = predator + dt * dpred
        highest = max(highest, float(prey[0]))
    return float(prey.mean()), float(predator.mean()), highest


def open_store(path):
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, alpha REAL, beta REAL,"
               " delta REAL, gamma REAL, prey REAL, predator REAL, highest REAL)")
    db.commit()
    return db


def main():
    nsteps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    if os.path.exists("sweep.db"):
        os.remove("sweep.db")
    db = open_store("sweep.db")
    grid = itertools.product(np.linspace(0.8, 1.2, 5), np.linspace(0.08, 0.12, 5),
                             np.linspace(0.06, 0.09, 5), np.linspace(1.3, 1.7, 4))
    with db:
        for k, (a, b, d, g) in enumerate(grid):
            prey, predator, highest = simulate(a, b, d, g, nsteps, 1e-3)
            db.execute("INSERT INTO runs VALUES (?,?,?,?,?,?,?,?)",
                       (k, float(a), float(b), float(d), float(g), prey, predator, highest))
    count, mean = db.execute("SELECT COUNT(*), AVG(highest) FROM runs").fetchone()
    best = db.execute("SELECT id, highest FROM runs ORDER BY highest DESC LIMIT 1").fetchone()
    db.close()
    print("runs %d  mean peak %.5f  best run %d (%.5f)" % (count, mean, best[0], best[1]))


if __name__ == "__main__":
    main()
