"""A matrix as text, as it is, packed, and as a mapped file (numpy)."""

import numpy as np

matrix = np.random.default_rng(1).random((400, 100))
np.savetxt("matrix.txt", matrix)
np.save("matrix.npy", matrix)
np.savez_compressed("matrix.npz", matrix)
matrix.tofile("matrix.raw")
mapped = np.memmap("mapped.raw", "f8", "w+", shape=(400, 100))
mapped[:] = matrix
mapped.flush()
print(np.loadtxt("matrix.txt").sum(), np.load("matrix.npy").sum(), np.fromfile("matrix.raw").sum())
