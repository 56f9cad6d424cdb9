import random
random.seed(2305)
tab = bytes(ord("ACGT"[i & 3]) for i in range(256))
g = random.randbytes(4_000_000).translate(tab)
with open("assembly.fa", "wb") as f:
    for i in range(40):
        p = random.randrange(len(g) - 300_000)
        f.write(b">contig%d\n" % i)
        s = g[p:p + 300_000]
        f.write(b"\n".join(s[j:j + 80] for j in range(0, len(s), 80)) + b"\n")
