import random
import struct

random.seed(8)
hits = []
for k in range(4096):
    hits.append(struct.pack("<iffff", k % 12, 10.0 * (k % 12), random.gauss(0, 1), random.gauss(0, 1), random.random()))
with open("run042.evt", "wb") as f:
    for ev in range(130000):
        n = 8 + random.randrange(17)
        s = random.randrange(4096 - n)
        f.write(struct.pack("<iid", ev, n, ev * 1.0e-4) + b"".join(hits[s:s + n]))
