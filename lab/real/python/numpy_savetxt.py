"""A matrix as text (numpy)."""

import numpy as np

np.savetxt("matrix.txt", np.random.default_rng(1).random((10000, 100)))
