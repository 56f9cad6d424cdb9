import random
import struct

N = 1200000
rng = random.Random(3)
pack = struct.Struct("<dfffffi16x").pack
t = 0.0
with open("catalogue.bin", "wb") as f:
    f.write(b"QUAKECAT" + struct.pack("<q", N))
    for start in range(0, N, 20000):
        part = []
        for i in range(20000):
            t += rng.expovariate(1 / 600.0)
            u = rng.random()
            part.append(pack(t, 36.0 + 4 * rng.random(), 140.0 + 4 * u, 5 + 90 * u * rng.random(),
                             1.5 + rng.expovariate(2.187), 0.2, i % 200))
        f.write(b"".join(part))
