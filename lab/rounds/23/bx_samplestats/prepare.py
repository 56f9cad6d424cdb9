import os, random
random.seed(2313)
os.mkdir("samples")
for s in range(6):
    with open("samples/NA%05d.vcf" % (12870 + s), "w") as f:
        f.write("##fileformat=VCFv4.2\n##source=bx\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n")
        p = 0
        for i in range(45):
            p += random.randrange(10, 5000)
            r, a = random.sample("ACGT", 2)
            f.write("chr%d\t%d\t.\t%s\t%s\t%d\t%s\tDP=%d;AF=%.2f\n" % (i // 10 + 1, p, r, a, random.randrange(5, 90),
                    random.choice(("PASS", "PASS", "LowQual")), random.randrange(4, 80), random.random()))
