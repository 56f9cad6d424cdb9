"""Scan of the growth rate of the bump-on-tail instability over beam density
and drift. Rank 0 hands out points, the others solve them (task pull)."""
import os
import time

os.environ.setdefault("MPI4PY_MPIABI", "mpich")
import numpy as np
from mpi4py import MPI

READY, WORK, DONE, STOP = range(4)


def growth(nb, vd, k=0.3, nv=4001):
    """Largest imaginary part of omega, Newton on the dielectric function."""
    v = np.linspace(-8.0, 12.0, nv)
    f = (1 - nb) * np.exp(-v ** 2 / 2) + nb * np.exp(-(v - vd) ** 2 / 0.5) / 0.5
    df = np.gradient(f / np.sqrt(2 * np.pi), v)
    w = 1.05 + 0.05j
    for _ in range(40):
        den = v - w / k
        eps = 1 - np.sum(df / den) * (v[1] - v[0]) / k ** 2
        deps = -np.sum(df / den ** 2) * (v[1] - v[0]) / k ** 3
        step = eps / deps
        w -= step / max(1.0, 10 * abs(step))
        w = complex(w.real, max(w.imag, 1e-3))
        if abs(step) < 1e-12:
            break
    return w.imag


def master(comm, points, table):
    status = MPI.Status()
    todo = iter(range(len(points)))
    active = comm.size - 1
    while active:
        if not comm.Iprobe(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG):
            time.sleep(0.02)
            continue
        msg = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
        who = status.Get_source()
        if status.Get_tag() == DONE:
            i, gamma = msg
            table[i] = (*points[i], gamma)
        i = next(todo, None)
        if i is None:
            comm.send(None, dest=who, tag=STOP)
            active -= 1
        else:
            comm.send((i, points[i]), dest=who, tag=WORK)


def worker(comm):
    status = MPI.Status()
    comm.send(None, dest=0, tag=READY)
    while True:
        task = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            break
        i, (nb, vd) = task
        comm.send((i, growth(nb, vd)), dest=0, tag=DONE)


def main():
    comm = MPI.COMM_WORLD
    points = [(nb, vd) for nb in np.linspace(0.01, 0.2, 12) for vd in np.linspace(3, 6, 10)]
    table = np.zeros((len(points), 3))
    if comm.rank == 0:
        master(comm, points, table)
    else:
        worker(comm)
    comm.Bcast(table, root=0)
    fh = MPI.File.Open(comm, "growth.bin", MPI.MODE_CREATE | MPI.MODE_WRONLY)
    lo = len(points) * comm.rank // comm.size
    hi = len(points) * (comm.rank + 1) // comm.size
    fh.Write_at_all(lo * 24, table[lo:hi])
    fh.Close()
    if comm.rank == 0:
        best = table[table[:, 2].argmax()]
        print("points %d, largest growth %.6f at nb=%.4f vd=%.4f" % (len(points), best[2], best[0], best[1]))


main()
