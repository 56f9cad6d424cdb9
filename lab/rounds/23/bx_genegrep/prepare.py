import random
random.seed(2314)
R = random.random
with open("annotation.gtf", "w") as f:
    f.write("#!genome-build GRCh38\n")
    pos = 0
    for g in range(15000):
        pos += int(R() * 20000)
        for e in range(8):
            a = pos + e * 400
            f.write('chr%d\tensembl\texon\t%d\t%d\t.\t+\t.\tgene_id "ENSG%08d"; gene_name "GN%d"; exon_number "%d";\n'
                    % (g // 650 + 1, a, a + 50 + int(R() * 250), g, g, e + 1))
with open("panel.txt", "w") as f:
    f.write("# cardio panel v3\n")
    for g in random.sample(range(15000), 60):
        f.write("GN%d\n" % g)
