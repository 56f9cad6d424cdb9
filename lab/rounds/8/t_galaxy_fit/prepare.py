import numpy as np
rng = np.random.default_rng(4)
y, x = np.mgrid[-1:1:32j, -1:1:32j]
for s in range(10):
    e = rng.uniform(0.4, 1.0, 512)[:, None, None]
    r = np.sqrt((x[None] / e) ** 2 + y[None] ** 2)
    img = (np.exp(-4 * r) + rng.normal(0, 0.03, r.shape)).astype(np.float32)
    np.save(f"shard_{s:02d}.npy", np.column_stack([img.reshape(512, -1), e.ravel()]).astype(np.float32))
