"""Conformer optimisation with a master and workers.

usage: conformers.py --conformers N --atoms M --out energies.csv
Rank 0 builds the starting geometries and hands them out, the others minimise a
Lennard-Jones + torsion model energy. Layout of the master/worker recipe that goes around
for mpi4py (tags READY / START / DONE / EXIT).
"""
import argparse
import csv
import sys
import time

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
START, DONE, EXIT = 1, 2, 3


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--conformers", type=int, default=40)
    p.add_argument("--atoms", type=int, default=60)
    p.add_argument("--steps", type=int, default=120)
    p.add_argument("--out", default="energies.csv")
    a = p.parse_args()
    if size < 2:
        sys.exit("needs at least two ranks")
    return a


def geometry(k, natoms):
    rng = np.random.default_rng(1000 + k)
    t = np.arange(natoms)
    helix = np.stack([2.2 * np.cos(0.9 * t), 2.2 * np.sin(0.9 * t), 0.8 * t], axis=1)
    return helix + rng.normal(scale=0.15, size=helix.shape)


def energy_forces(x):
    d = x[:, None, :] - x[None, :, :]
    r2 = (d * d).sum(axis=2) + np.eye(len(x)) * 1e6 + 0.5
    i6 = 1.0 / (r2 * r2 * r2)
    e = 2.0 * (i6 * (i6 - 1.0)).sum()
    f = ((48.0 * i6 * (i6 - 0.5) / r2)[:, :, None] * d).sum(axis=1)
    return e, f


def minimise(x, steps):
    step, (e, f) = 1e-3, energy_forces(x)
    for _ in range(steps):
        trial = x + step * np.clip(f, -50, 50)
        et, ft = energy_forces(trial)
        if et < e:
            x, e, f, step = trial, et, ft, step * 1.2
        else:
            step *= 0.5
    return e, x


def worker(a):
    st = MPI.Status()
    while True:
        msg = comm.recv(source=0, tag=MPI.ANY_TAG, status=st)
        if st.Get_tag() == EXIT:
            return
        k, x = msg
        e, xmin = minimise(x, a.steps)
        comm.send((k, e, np.linalg.norm(xmin[0] - xmin[-1])), dest=0, tag=DONE)


def wait_result(source, poll=0.0005):
    """Do not burn a core on the master while the workers compute."""
    st = MPI.Status()
    while not comm.iprobe(source=source, tag=DONE, status=st):
        time.sleep(poll)
    return st.Get_source(), comm.recv(source=st.Get_source(), tag=DONE)


def master(a):
    results, k = {}, 0
    for w in range(1, size):                       # every worker busy, one item ahead
        for _ in range(2):
            if k < a.conformers:
                comm.send((k, geometry(k, a.atoms)), dest=w, tag=START)
                k += 1
    while len(results) < a.conformers:
        w, (kk, e, r) = wait_result(MPI.ANY_SOURCE)
        results[kk] = (e, r)
        if k < a.conformers:
            comm.send((k, geometry(k, a.atoms)), dest=w, tag=START)
            k += 1
    return results


def main():
    a = options()
    if rank > 0:
        worker(a)
        return
    results = master(a)
    for w in range(1, size):
        comm.send(None, dest=w, tag=EXIT)
    with open(a.out, "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["conformer", "energy", "end_to_end"])
        for k in sorted(results):
            out.writerow([k, f"{results[k][0]:.8f}", f"{results[k][1]:.6f}"])
    best = min(results, key=lambda k: results[k][0])
    print(f"{len(results)} conformers, best {best} E {results[best][0]:.8f}")


main()
