import random
random.seed(123)
samples = ["NA%05d" % (12800 + i) for i in range(20)]
with open("cohort.vcf", "w") as f:
    f.write("##fileformat=VCFv4.2\n##source=caller\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" + "\t".join(samples) + "\n")
    for c in range(1, 4):
        pos = 10000
        for k in range(4000):
            pos += random.randint(5, 900)
            r, a = random.sample("ACGT", 2)
            f.write("chr%d\t%d\t.\t%s\t%s\t%.1f\t%s\tDP=%d\tGT:GQ\t%s\n" % (
                c, pos, r, a, random.uniform(10, 90), random.choice(["PASS", "PASS", "LowQual"]), random.randint(80, 600),
                "\t".join("%s:%d" % (random.choice(["0/0", "0/0", "0/1", "1/1"]), random.randint(5, 99)) for _ in samples)))
