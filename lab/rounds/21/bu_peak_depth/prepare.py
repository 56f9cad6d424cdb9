import numpy as np
r = np.random.default_rng(12)
n = 20_000_000
d = np.repeat(r.poisson(30, n // 20), 20).astype(np.uint16)
d.tofile("depth.u16")
s = np.sort(r.integers(0, n - 500, 260000)).astype(np.int32)
e = s + r.integers(80, 300, s.size).astype(np.int32)
np.stack([s, e], 1).astype(np.int32).tofile("peaks.i32")
