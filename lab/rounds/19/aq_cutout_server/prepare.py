import numpy as np
rng = np.random.default_rng(1)
nx = ny = 3000
img = rng.standard_normal((ny, nx), dtype="f4") * 3 + 100
xy = rng.uniform(0, nx, (28000, 2))
ij = xy.astype(int)
img[ij[:, 1], ij[:, 0]] += 500
with open("field7.mos", "wb") as f:
    f.write(f"MOSAIC {nx} {ny} 1.7\n".encode().ljust(4096))
    img.tofile(f)
with open("field7.cat", "w") as f:
    f.write("# id x y\n")
    for i, (x, y) in enumerate(xy):
        f.write(f"{i} {x:.3f} {y:.3f}\n")
