"""Edge-preserving smoothing of a tomogram, slabs of slices per rank.

usage: volume.py tomogram.raw smooth.raw --passes 3
Reading and writing are collective MPI-IO calls on whole slabs, as in the "MPI-IO with
NumPy arrays" part of the mpi4py tutorial; ghost slices are exchanged with Sendrecv.
"""
import argparse
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
HEADER = 64


def open_volume(path):
    f = MPI.File.Open(comm, path, MPI.MODE_RDONLY)
    head = np.zeros(4, "<i4")
    f.Read_at_all(0, head)
    if head[:1].tobytes() != b"VOL1":
        if rank == 0:
            sys.stderr.write(path + ": not a volume\n")
        comm.Abort(1)
    return f, tuple(int(v) for v in head[1:])


def slab(nz):
    return nz * rank // size, nz * (rank + 1) // size


def read_slab(f, shape):
    lo, hi = slab(shape[0])
    v = np.empty((hi - lo + 2, shape[1], shape[2]), "<f4")
    f.Read_at_all(HEADER + lo * shape[1] * shape[2] * 4, v[1:-1])
    f.Close()
    return v


def ghosts(v):
    up = rank + 1 if rank + 1 < size else MPI.PROC_NULL
    dn = rank - 1 if rank > 0 else MPI.PROC_NULL
    v[0], v[-1] = v[1], v[-2]
    comm.Sendrecv(v[-2], dest=up, recvbuf=v[0], source=dn)
    comm.Sendrecv(v[1], dest=dn, recvbuf=v[-1], source=up)


def smooth(v, kappa=0.4):
    """One Perona-Malik pass."""
    c = v[1:-1]
    flux = np.zeros_like(c)
    for axis in range(3):
        for step in (1, -1):
            if axis == 0:
                d = (v[2:] if step == 1 else v[:-2]) - c
            else:
                d = np.roll(c, step, axis=axis) - c
            flux += d * np.exp(-(d / np.float32(kappa)) ** 2)
    v[1:-1] = c + np.float32(0.12) * flux


def write_slab(path, v, shape):
    lo, _ = slab(shape[0])
    f = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
    if rank == 0:
        f.Write_at(0, b"VOL1" + np.array(shape, "<i4").tobytes() + bytes(48))
    f.Write_at_all(HEADER + lo * shape[1] * shape[2] * 4, np.ascontiguousarray(v[1:-1]))
    f.Close()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("src")
    p.add_argument("dst")
    p.add_argument("--passes", type=int, default=3)
    a = p.parse_args()
    f, shape = open_volume(a.src)
    v = read_slab(f, shape)
    for _ in range(a.passes):
        ghosts(v)
        smooth(v)
    total = comm.allreduce(float(np.square(v[1:-1], dtype="f8").sum()))
    write_slab(a.dst, v, shape)
    if rank == 0:
        print(f"volume {shape}, rms {np.sqrt(total / np.prod(shape)):.7f}")


main()
