# excitation table: energy x density x composition, float32
import os, random
rng = random.Random(5577)
with open("excitation.tab", "wb") as f:
    block = rng.randbytes(1 << 20)
    for k in range(224):
        f.write(block[k * 4:] + block[:k * 4])
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
