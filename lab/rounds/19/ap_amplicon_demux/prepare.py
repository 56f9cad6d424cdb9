import random
random.seed(77)
bc = {"".join(random.choices("ACGT", k=8)): "S%02d" % i for i in range(1, 7)}
with open("barcodes.tsv", "w") as f:
    for b, s in bc.items():
        f.write("%s\t%s\n" % (b, s))
keys = list(bc)
with open("run7.fastq", "w") as f:
    for i in range(130):
        b = random.choice(keys) if random.random() < .9 else "".join(random.choices("ACGT", k=8))
        s = b + "".join(random.choices("ACGT", k=random.randint(70, 110)))
        f.write("@run7:%d\n%s\n+\n%s\n" % (i, s, "".join(chr(random.randint(38, 73)) for _ in s)))
