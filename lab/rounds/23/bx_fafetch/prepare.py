import random
random.seed(2302)
tab = bytes(ord("ACGT"[i & 3]) for i in range(256))
contigs = [("chr%d" % (i + 1), 9_000_000 + 600_000 * i) for i in range(8)]
off = 0
with open("genome.fa", "wb") as f, open("genome.fa.fai", "w") as x:
    for name, n in contigs:
        h = (">%s\n" % name).encode()
        f.write(h); off += len(h)
        x.write("%s\t%d\t%d\t60\t61\n" % (name, n, off))
        s = random.randbytes(n).translate(tab)
        body = b"\n".join(s[i:i + 60] for i in range(0, n, 60)) + b"\n"
        f.write(body); off += len(body)
with open("peaks.bed", "w") as f:
    for i in range(20000):
        name, n = random.choice(contigs)
        a = random.randrange(n - 1000)
        f.write("%s\t%d\t%d\tpeak%05d\n" % (name, a, a + random.randrange(120, 400), i))
