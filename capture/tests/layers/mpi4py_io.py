"""MPI-IO from Python: mpi4py loads the MPI library where the dynamic linker's
global search does not see it, and looks whether it has the functions of MPI 4."""

import mmap
import sys

from mpi4py import MPI

rank = MPI.COMM_WORLD.rank
file = MPI.File.Open(MPI.COMM_WORLD, sys.argv[1], MPI.MODE_CREATE | MPI.MODE_RDWR)
block = bytearray(b"x" * 1000)
file.Write_at_all(rank * 1000, block)
file.Read_at(rank * 1000, block)
request = file.Iwrite_at(rank * 1000, block)
request.Wait()
MPI.COMM_WORLD.Barrier()
# More than an int can count. No memory is touched where nothing is read.
large = mmap.mmap(-1, 3_000_000_000)
file.Read_at(1000, [large, 3_000_000_000, MPI.BYTE], MPI.Status())
assert large[:1001] == b"x" * 1000 + b"\0"
file.Close()
