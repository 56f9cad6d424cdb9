import array
import math
import os
N = 4608
with open("dem.bin", "wb") as f:
    cols = [math.sin(0.0031 * x) * 140 + 60 * math.sin(0.017 * x + 1) for x in range(N)]
    for y in range(N):
        h = 900 + 200 * math.cos(0.0023 * y) + 25 * math.sin(0.021 * y)
        k = (y * 37) % 512
        f.write(array.array("f", [h + c for c in cols[k:] + cols[:k]]).tobytes())
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
