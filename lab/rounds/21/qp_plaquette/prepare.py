import numpy as np
rng = np.random.default_rng(5)
n = 16 * 16 * 12 * 16 * 4
a = rng.standard_normal((n, 3, 3)) * 0.3 + 1j * rng.standard_normal((n, 3, 3)) * 0.3 + np.eye(3)
q, r = np.linalg.qr(a)
q = q * (np.diagonal(r, axis1=1, axis2=2) / np.abs(np.diagonal(r, axis1=1, axis2=2)))[:, None, :]
q.astype("<c16").tofile("lat.u")
