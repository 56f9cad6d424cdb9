# Gate records of a wind profiler: 48 bytes each after a header of 64 bytes.
import random
import struct

random.seed(19)
NGATES, NSCANS = 64, 28000
body = b"".join(struct.pack("<IHHdddd8x", 0, g, random.getrandbits(3),
                            random.gauss(0.2 * g, 1.0), random.gauss(0, 0.3),
                            random.uniform(0.5, 2.0), random.uniform(3, 20))
                for _ in range(100) for g in range(NGATES))
with open("profiler.dat", "wb") as f:
    f.write(struct.pack("<8sII", b"WPROF01", NGATES, NSCANS).ljust(64, b"\0"))
    for _ in range(NSCANS // 100):
        f.write(body)
