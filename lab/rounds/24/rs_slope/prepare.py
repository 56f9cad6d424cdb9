import gzip
import numpy as np
rng = np.random.default_rng(23)
N = 3601
y, x = np.mgrid[0:N, 0:N]
a = 600 + 300 * np.sin(x / 210.) * np.cos(y / 170.) + 90 * np.sin((x + 2 * y) / 37.) + rng.integers(0, 6, (N, N))
with gzip.GzipFile("N46E007.hgt.gz", "wb", 5, mtime=0) as f:
    f.write(a.astype(">i2").tobytes())
