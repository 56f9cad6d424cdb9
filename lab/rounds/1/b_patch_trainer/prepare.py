import numpy as np

rng = np.random.default_rng(3)
for k in range(320):
    label = k % 2
    img = rng.normal(0.1 * label, 1.0, (64, 64)).astype("f4")
    np.savez_compressed("patch_%04d.npz" % k, image=img, label=label)
