"""Wave-number spectra of a density history: the rows (times) of a raw file are
divided among the ranks, transformed, and put into one output file."""
import os

os.environ.setdefault("MPI4PY_MPIABI", "mpich")
import numpy as np
from mpi4py import MPI

NX = 2048
BLOCK = 128     # rows per read


def main():
    comm = MPI.COMM_WORLD
    fin = MPI.File.Open(comm, "density.raw", MPI.MODE_RDONLY)
    rows = fin.Get_size() // (4 * NX)
    per = rows // comm.size
    first = comm.rank * per
    nk = NX // 2 + 1
    fout = MPI.File.Open(comm, "spectra.raw", MPI.MODE_CREATE | MPI.MODE_WRONLY)

    window = np.hanning(NX).astype(np.float32)
    lags = (0, 1, 2, 3, 5, 8, 13, 21)
    mean = np.zeros(nk)
    for r in range(first, first + per, BLOCK):
        n = min(BLOCK, first + per - r)
        rho = np.empty((n, NX), dtype=np.float32)
        fin.Read_at_all(4 * NX * r, rho)
        rho -= rho.mean(axis=1, keepdims=True)
        power = np.zeros((n, nk), dtype=np.float32)
        # average over shifted windows
        for lag in lags:
            z = np.fft.rfft(np.roll(rho, lag * 37, axis=1) * window, axis=1)
            power += (z.real ** 2 + z.imag ** 2).astype(np.float32) / len(lags)
        # cepstral smoothing
        c = np.fft.irfft(np.log(power + 1e-12), axis=1)
        c[:, 64:-64] = 0
        smooth = np.exp(np.fft.rfft(c, axis=1).real).astype(np.float32)
        fout.Write_at_all(4 * nk * r, np.ascontiguousarray(smooth))
        mean += smooth.sum(axis=0)

    fin.Close()
    fout.Close()
    total = np.empty_like(mean)
    comm.Allreduce(mean, total)
    if comm.rank == 0:
        k = total[1:].argmax() + 1
        print("rows %d, peak at k=%d, mean power %.4e" % (per * comm.size, k, total[k] / rows))


main()
