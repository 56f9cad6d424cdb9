import os, random
rng = random.Random(5)
block = rng.randbytes(1 << 20)
with open("catalogue.bin", "wb") as f:
    for i in range(192):
        k = (i * 7919) % len(block)
        f.write(block[k:] + block[:k])
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
