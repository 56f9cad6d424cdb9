import os
import random
import struct
random.seed(3)
N = 1 << 20
rec = struct.Struct("<dd6f3d")   # ra, dec, six magnitudes, noise terms
block = bytearray()
with open("survey.dat", "wb") as f:
    base = [rec.pack(random.uniform(0, 360), random.uniform(-90, 90),
                     *[random.gauss(15, 1.5) for _ in range(6)],
                     random.random(), random.random(), random.random())
            for _ in range(8192)]
    for i in range(N // 8192):
        k = (i * 997) % 8192
        f.write(b"".join(base[k:] + base[:k]))
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
