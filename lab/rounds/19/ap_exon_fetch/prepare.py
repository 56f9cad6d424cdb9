import random
random.seed(3)
W = 60
off = 0
seqs = []
with open("genome.fa", "w") as fa, open("genome.fa.fai", "w") as fai:
    for c in range(1, 7):
        n = 700000 - 60000 * c
        s = "".join(random.choices("ACGT", k=n))
        h = ">chr%d\n" % c
        fa.write(h)
        off += len(h)
        fa.write("\n".join(s[i:i + W] for i in range(0, n, W)) + "\n")
        fai.write("chr%d\t%d\t%d\t%d\t%d\n" % (c, n, off, W, W + 1))
        off += n + (n + W - 1) // W
        seqs.append(("chr%d" % c, n))
with open("exons.bed", "w") as b:
    for k in range(40000):
        c, n = random.choice(seqs)
        a = random.randrange(n - 600)
        b.write("%s\t%d\t%d\texon%05d\t%s\n" % (c, a, a + random.randint(90, 420), k, random.choice("+-")))
