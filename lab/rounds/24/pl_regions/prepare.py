import gzip, io, random
random.seed(11)
pool = ["".join(random.choice("ACGT") for _ in range(12)) for _ in range(4000)]
with open("fragments.bed.gz", "wb") as raw, gzip.GzipFile("", "wb", 3, raw, mtime=0) as packed, \
        io.TextIOWrapper(packed) as f:
    for c in list(range(1, 13)):
        p = 10000
        for i in range(36000):
            p += random.randint(1, 90)
            f.write(f"chr{c}\t{p}\t{p+random.randint(60,400)}\t{pool[random.randrange(4000)]}-1\t{random.randint(1,9)}\n")
