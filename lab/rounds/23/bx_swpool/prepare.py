import random
random.seed(2317)
def seqs(path, n, lo, hi, p):
    with open(path, "w") as f:
        for i in range(n):
            f.write(">%s%d\n%s\n" % (p, i, "".join(random.choices("ACDEFGHIKLMNPQRSTVWY", k=random.randrange(lo, hi)))))
seqs("queries.fa", 4, 50, 70, "q")
seqs("targets.fa", 300, 60, 110, "t")
