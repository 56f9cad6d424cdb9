import sys

import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(20)
a = rng.standard_normal((n, 6))
a[:, 0] += 4
a[:, 1] += 0.6
a[:, 3] = 290 + 0.3 * a[:, 2] + 0.5 * a[:, 3]
a[:, 4] = 15 - 0.1 * a[:, 2] + 0.2 * a[:, 4]
a[::5000, 5] += 40
a.astype("<f4").tofile("tower.bin")
