import random
random.seed(2308)
R = random.random
with open("annotation.gff3", "w") as f:
    f.write("##gff-version 3\n")
    n = pos = 0
    for g in range(42000):
        pos += 200 + int(R() * 3000)
        f.write("chr1\thavana\tgene\t%d\t%d\t.\t+\t.\tID=gene:%05d;Name=GN%d\n" % (pos, pos + 9000, g, g))
        a = pos
        for e in range(1 + int(R() * 11)):
            b = a + 50 + int(R() * 300)
            f.write("chr1\thavana\texon\t%d\t%d\t.\t+\t.\tID=exon:%05d.%d;Parent=gene:%05d\n" % (a, b, g, e, g))
            a = b + int(R() * 600) - 40
