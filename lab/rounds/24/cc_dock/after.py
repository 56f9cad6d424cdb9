"""Rescoring of docked ligands with an external program, then a shared refinement.

usage: dock.py --ligands DIR --sweeps N --scorer score.py --out ranking.csv
The scorer is started the way ASE's FileIOCalculator starts a code: write input, run a
command, parse its last lines.
"""
import argparse
import glob
import os
import subprocess
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--ligands", default="ligands")
    p.add_argument("--sweeps", type=int, default=2500)
    p.add_argument("--scorer", default="score.py")
    p.add_argument("--out", default="ranking.csv")
    return p.parse_args()


def run_scorer(scorer, path, sweeps):
    """One call of the external program."""
    cmd = [sys.executable, scorer, path, str(sweeps)]
    r = subprocess.run(cmd, capture_output=True, text=True)
    if r.returncode != 0:
        sys.stderr.write(r.stderr)
        comm.Abort(r.returncode)
    for line in r.stdout.splitlines():
        if line.startswith("SCORE"):
            return float(line.split()[1])
    raise RuntimeError("no score in output for " + path)


def score_all(files, a):
    mine = np.zeros(len(files))
    for i in range(rank, len(files), size):   # each rank runs its share of the programs
        mine[i] = run_scorer(a.scorer, files[i], a.sweeps)
    scores = np.zeros(len(files))
    comm.Allreduce(mine, scores)
    for i in range(2, len(files), 3):
        if rank == 0:
            print(f"scored {i + 1}, best {scores[:i + 1].min():.5f}")
    return scores


def refine(scores, n=200):
    """Bootstrap error of the mean score; samples split over the ranks."""
    rng = np.random.default_rng(100 + rank)
    mine = np.array([rng.choice(scores, scores.size).mean() for _ in range(n // size)])
    total = np.array([mine.sum(), (mine ** 2).sum(), mine.size])
    comm.Allreduce(MPI.IN_PLACE, total)
    m = total[0] / total[2]
    return m, np.sqrt(max(total[1] / total[2] - m * m, 0))


def main():
    a = arguments()
    files = sorted(glob.glob(os.path.join(a.ligands, "*.xyz"))) if rank == 0 else None
    files = comm.bcast(files)
    if not files:
        sys.exit("no ligands")
    scores = score_all(files, a)
    mean, err = refine(scores)
    if rank == 0:
        order = np.argsort(scores)
        with open(a.out, "w") as f:
            f.write("rank,ligand,score,z\n")
            for k, i in enumerate(order):
                f.write(f"{k + 1},{os.path.basename(files[i])},{scores[i]:.6f},{(scores[i] - mean) / scores.std():.4f}\n")
        print(f"{len(files)} ligands, mean {mean:.5f} +- {err:.5f}")


main()
