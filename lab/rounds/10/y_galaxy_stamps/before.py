"""Find galaxies in a synthetic survey field, cut postage stamps and measure shapes.

Step 1 (cut) leaves the stamps on disk for the visual check,
step 2 (measure) works from the stamps only, as it is also used alone.
"""
import os
import sys

import numpy as np

HALF = 8


def make_field(rng, size, ngal):
    img = rng.normal(0.0, 1.0, (size, size)).astype(np.float32)
    pos = rng.integers(HALF, size - HALF, (ngal, 2))
    flux = rng.uniform(200, 2000, ngal)
    q = rng.uniform(0.5, 1.0, ngal)
    y, x = np.mgrid[-HALF:HALF, -HALF:HALF].astype(np.float32)
    for (cy, cx), f, a in zip(pos, flux, q):
        blob = np.exp(-0.5 * (x * x / 6.0 + y * y / (6.0 * a * a)))
        img[cy - HALF:cy + HALF, cx - HALF:cx + HALF] += (f / blob.sum()) * blob
    return img, pos


def cut_stamps(img, pos, folder):
    os.makedirs(folder, exist_ok=True)
    for i, (cy, cx) in enumerate(pos):
        stamp = img[cy - HALF:cy + HALF, cx - HALF:cx + HALF]
        np.save(os.path.join(folder, f"gal_{i:06d}.npy"), stamp)


def load_stamp(folder, i):
    return np.load(os.path.join(folder, f"gal_{i:06d}.npy"))


def moments(stamp):
    w = np.clip(stamp, 0.0, None).astype(np.float64)
    s = w.sum()
    r = np.arange(2 * HALF)
    wy, wx = w.sum(1), w.sum(0)
    my, mx = (r @ wy) / s, (r @ wx) / s
    vy = ((r - my) ** 2 @ wy) / s
    vx = ((r - mx) ** 2 @ wx) / s
    return s, (vx - vy) / (vx + vy)


def measure(folder, n):
    table = np.empty((n, 2))
    for i in range(n):
        table[i] = moments(load_stamp(folder, i))
    return table


def main():
    ngal = int(sys.argv[1])
    rng = np.random.default_rng(2024)
    img, pos = make_field(rng, 2048, ngal)
    cut_stamps(img, pos, "stamps")
    table = measure("stamps", ngal)
    np.save("shapes.npy", table)
    print(f"{ngal} galaxies, mean flux {table[:, 0].mean():.4f}, "
          f"mean e1 {table[:, 1].mean():.6f}, rms e1 {table[:, 1].std():.6f}")


main()
