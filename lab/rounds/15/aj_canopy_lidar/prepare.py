"""Synthetic flight over a forest plot of 200 m x 200 m."""
import random
import struct

COUNT = 800000
random.seed(1815)
pack = struct.Struct("<ffffdHBBI").pack

block, t = [], 5000.0
for n in range(40000):
    t += 2e-5
    of = random.choice((1, 1, 2, 3))
    z = random.gauss(18, 5) if random.random() < 0.7 else random.expovariate(1.0)
    block.append(pack(random.uniform(0, 200), random.uniform(0, 200), max(0.0, min(z, 39.0)),
                      random.uniform(-0.35, 0.35), t, random.randrange(5, 240), 1, of, 7))
data = b"".join(block)
with open("flight.ret", "wb") as f:
    f.write(struct.pack("<8sQffff32s", b"RETS", COUNT, 0, 0, 200, 200, b"beech plot 7"))
    for _ in range(COUNT // 40000):
        f.write(data)
