import os
import numpy as np

rng = np.random.default_rng(11)
os.makedirs("scans", exist_ok=True)
labels = []
yy, xx = np.mgrid[0:128, 0:128]
for i in range(80):
    label = i % 2
    cx, cy = rng.integers(40, 88, 2)
    blob = np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (200.0 + 300.0 * label))
    img = np.stack([np.round(200 * blob + rng.normal(0, 6, blob.shape)) for _ in range(3)])
    np.savez_compressed("scans/eye_%04d.npz" % i, image=img.astype(np.float32))
    labels.append(label)
with open("scans/labels.csv", "w") as f:
    for i, l in enumerate(labels):
        f.write("eye_%04d,%d\n" % (i, l))
