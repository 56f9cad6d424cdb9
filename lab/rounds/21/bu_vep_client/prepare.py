import random
random.seed(41)
with open("variants.vcf", "w") as f:
    f.write("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\n")
    p = 1000
    for i in range(1000):
        p += random.randint(20, 4000)
        a, b = random.sample("ACGT", 2)
        f.write(f"chr1\t{p}\t.\t{a}\t{b}\n")
