import random
random.seed(12)
for p in range(24):
    with open("plot%02d.csv" % p, "w") as f:
        f.write("tree,x,y,dbh_cm,species\n")
        for i in range(350):
            f.write("%d,%.2f,%.2f,%.1f,%s\n" % (i, random.uniform(0, 100), random.uniform(0, 100),
                    random.lognormvariate(3, 0.5), random.choice(("FASY", "QURO", "ACPS"))))
