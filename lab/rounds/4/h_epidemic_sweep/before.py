"""Sweep of an SEIR epidemic model over transmission and recovery rates.

usage: before.py N_BETA N_GAMMA
"""
import argparse
import csv
import json
import logging
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

log = logging.getLogger("sweep")

POPULATION = 1.0e6
DAYS = 240
DT = 0.5


def contact_matrix(n_groups=4):
    base = np.array([[7.0, 2.0, 1.0, 0.5],
                     [2.0, 5.0, 2.5, 0.8],
                     [1.0, 2.5, 4.0, 1.2],
                     [0.5, 0.8, 1.2, 2.0]])
    return base[:n_groups, :n_groups] / base.sum(axis=1).max()


def integrate_seir(beta, gamma, sigma=0.2):
    contacts = contact_matrix()
    share = np.array([0.22, 0.33, 0.28, 0.17])
    s = share * POPULATION - 5.0
    e = np.full(4, 5.0)
    i = np.zeros(4)
    r = np.zeros(4)
    infected = np.empty(int(DAYS / DT))
    for k in range(infected.size):
        force = beta * contacts @ (i / (share * POPULATION))
        new_e = force * s * DT
        new_i = sigma * e * DT
        new_r = gamma * i * DT
        s -= new_e
        e += new_e - new_i
        i += new_i - new_r
        r += new_r
        infected[k] = i.sum()
    return infected, r.sum()


def evaluate(beta, gamma):
    infected, recovered = integrate_seir(beta, gamma)
    return {
        "beta": beta,
        "gamma": gamma,
        "peak": float(infected.max()),
        "peak_day": float(infected.argmax() * DT),
        "attack_rate": float(recovered / POPULATION),
    }


def run_point(beta, gamma):
    """One point of the grid, as a job of its own."""
    command = [sys.executable, str(Path(__file__).resolve()), "--point", repr(beta), repr(gamma)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def sweep(n_beta, n_gamma):
    rows = []
    for beta in np.linspace(0.3, 1.2, n_beta):
        for gamma in np.linspace(0.08, 0.3, n_gamma):
            rows.append(run_point(float(beta), float(gamma)))
            log.info("beta=%.3f gamma=%.3f done", beta, gamma)
    return rows


def write_results(rows):
    with open("sweep.csv", "w", newline="") as out:
        table = csv.DictWriter(out, fieldnames=list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    with h5py.File("sweep.h5", "w") as store:
        for name in rows[0]:
            store[name] = np.array([row[name] for row in rows])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--point", nargs=2, type=float)
    parser.add_argument("grid", nargs="*", type=int)
    args = parser.parse_args()
    if args.point:
        json.dump(evaluate(*args.point), sys.stdout)
        return
    logging.basicConfig(level=logging.WARNING)
    rows = sweep(*args.grid)
    write_results(rows)
    worst = max(rows, key=lambda row: row["peak"])
    print(f"{len(rows)} points, highest peak {worst['peak']:.0f} on day {worst['peak_day']:.0f}")


if __name__ == "__main__":
    main()
