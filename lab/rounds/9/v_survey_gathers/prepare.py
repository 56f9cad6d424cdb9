import array
import random
import struct

random.seed(12)
ntr, ns = 60000, 400
pool = []
for k in range(64):
    a = array.array("f", (random.gauss(0.0, 1.0) for _ in range(ns)))
    a[50 + k] += 8.0
    pool.append(a.tobytes())
with open("survey.dat", "wb") as f:
    f.write(struct.pack("<ii", ntr, ns))
    for i in range(ntr):
        f.write(struct.pack("<ii6f", i, random.randrange(60), 25.0 * (i % 120), 1500.0 + i % 13,
                            random.random(), 0.5 + random.random(), 0.0, 0.0))
    for i in range(ntr):
        f.write(pool[(i * 7) % 64])
