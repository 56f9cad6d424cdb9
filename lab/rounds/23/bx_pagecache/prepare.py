import random, struct
random.seed(2310)
N, P = 6000, 8192
pool = random.randbytes(4 << 20)
with open("tiles.db", "wb") as f:
    f.write(struct.pack("<4sII", b"TILE", N, P).ljust(P, b"\0"))
    for i in range(N):
        o = random.randrange(len(pool) - P); f.write(pool[o:o + P])
with open("queries.txt", "w") as f:
    for i in range(10000):
        f.write("%d %d\n" % (min(N - 1, int(random.paretovariate(0.7) * 3)), random.randrange(256)))
