import os
import zlib
import numpy as np
rng = np.random.default_rng(13)
os.makedirs("lst", exist_ok=True)
N = 2400
tiles = ["h17v04", "h18v04", "h17v05", "h18v05"]
for t in tiles:
    y, x = np.mgrid[0:N, 0:N]
    a = (14500 + 300 * np.sin(x / 190.0) + 250 * np.cos(y / 140.0) + rng.integers(0, 24, (N, N))).astype("<u2")
    c = zlib.compressobj(6, zlib.DEFLATED, 31)
    with open(f"lst/MOD11A1.A2023196.{t}.lst.gz", "wb") as f:
        f.write(c.compress(np.array([N, N], "<i4").tobytes() + a.tobytes()) + c.flush())
with open("sites.txt", "w") as f:
    f.write("# name tile row col\n")
    for k in range(26):
        f.write(f"SITE{k:03d} {tiles[rng.integers(4)]} {rng.integers(40, N-40)} {rng.integers(40, N-40)}\n")
