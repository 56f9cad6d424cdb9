import numpy as np

rng = np.random.default_rng(21)
events = 400
hits = 150
data = np.empty((events, hits, 3), dtype=np.float32)
for e in range(events):
    slope = rng.normal(0, 0.2, (10, 2))
    z = rng.uniform(5, 100, (10, 15))
    data[e, :, 0] = (slope[:, :1] * z + rng.normal(0, 0.05, z.shape)).ravel()
    data[e, :, 1] = (slope[:, 1:] * z + rng.normal(0, 0.05, z.shape)).ravel()
    data[e, :, 2] = z.ravel()
with open("events.bin", "wb") as f:
    np.array([events, hits], dtype=np.int32).tofile(f)
    data.tofile(f)
