import random
random.seed(2303)
tab = bytes(ord("ACGT"[i & 3]) for i in range(256))
g = random.randbytes(900_000).translate(tab)
with open("reads.fa", "wb") as f:
    for i in range(20000):
        p = random.randrange(len(g) - 200)
        f.write(b">r%d\n%s\n" % (i, g[p:p + 200]))
