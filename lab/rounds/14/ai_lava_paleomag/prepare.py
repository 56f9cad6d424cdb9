# demagnetisation measurements of lava specimens, 48 byte records after a 64 byte header
import random, struct
random.seed(41)
rec = struct.Struct("<iifffffddf")
N = 300000
base = []
for k in range(20000):
    inc, dec = random.gauss(58, 9), random.gauss(8, 14)
    base.append((random.gauss(0.41, .2), random.gauss(0.06, .2), random.gauss(0.85, .2), inc, dec,
                 random.uniform(0, 24), random.uniform(0, 24), random.uniform(0.5, 2)))
with open("moments.dat", "wb") as f:
    f.write(struct.pack("<8sii48x", b"PMAG0003", N, rec.size))
    for s in range(0, N, 20000):
        f.write(b"".join(rec.pack((s + k) // 12, (k % 12) * 50, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7])
                         for k, b in enumerate(base)))
