"""N-body snapshots as LAMMPS style text dumps.

usage: snapshot.py --atoms N --frames M --out dump.lammpstrj
Every rank holds a slab of particles; a dump frame is one text block per rank, in rank
order, after a common header.
"""
import argparse
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
TOKEN = 99


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--atoms", type=int, default=30000)
    p.add_argument("--frames", type=int, default=8)
    p.add_argument("--out", default="dump.lammpstrj")
    a = p.parse_args()
    if a.atoms < size:
        sys.exit("too few atoms")
    return a


def start(natoms):
    lo, hi = natoms * rank // size, natoms * (rank + 1) // size
    ids = np.arange(lo, hi)
    x = np.stack([(ids * k % 1009) / 1009.0 * 50 for k in (17, 101, 333)], axis=1)
    v = np.stack([np.sin(ids * 0.1 * k) for k in (1, 2, 3)], axis=1)
    return ids, x, v


def advance(x, v, dt=0.01, n=5):
    for _ in range(n):
        v -= dt * 0.3 * (x - 25.0)
        x += dt * v
    return 0.5 * float((v * v).sum())


def header(frame, natoms):
    return (f"ITEM: TIMESTEP\n{frame}\nITEM: NUMBER OF ATOMS\n{natoms}\n"
            "ITEM: BOX BOUNDS pp pp pp\n0 50\n0 50\n0 50\nITEM: ATOMS id type x y z speed\n")


def lines(ids, x, v):
    speed = np.sqrt((v * v).sum(axis=1))
    out = []
    for i, (px, py, pz), s in zip(ids, x, speed):
        out.append("%d %d %.6g %.6g %.6g %.4f\n" % (i + 1, i % 3 + 1, px, py, pz, s))
    return "".join(out)


class Dump:
    """Appends to one file; the token says whose turn it is."""

    def __init__(self, path):
        self.path = path

    def write(self, frame, natoms, ids, x, v):
        if rank > 0:
            comm.recv(source=rank - 1, tag=TOKEN)
        with open(self.path, "a") as f:
            if rank == 0:
                f.write(header(frame, natoms))
            f.write(lines(ids, x, v))
        if rank < size - 1:
            comm.send(frame, dest=rank + 1, tag=TOKEN)
        comm.Barrier()

    def close(self):
        pass


def main():
    a = parse()
    ids, x, v = start(a.atoms)
    if rank == 0:
        open(a.out, "w").close()
    comm.Barrier()
    dump = Dump(a.out)
    for frame in range(a.frames):
        ke = comm.allreduce(advance(x, v))
        dump.write(frame, a.atoms, ids, x, v)
        if rank == 0:
            print(f"frame {frame} ke {ke / a.atoms:.6f}")
    dump.close()


main()
