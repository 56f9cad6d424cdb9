import os, random
random.seed(4)
os.makedirs("argos", exist_ok=True)
with open("tags.tsv", "w") as tags:
    tags.write("tag\tspecies\tsex\tccl_cm\n")
    for i in range(900):
        tag = "TT%05d" % (10000 + 37 * i)
        tags.write("%s\t%s\t%s\t%.1f\n" % (tag, random.choice(["Cm", "Cc", "Ei", "Dc"]),
                                           random.choice("MFU"), random.gauss(88, 9)))
        leg = random.randint(1, 4)
        with open("argos/2021_%s_leg%d.csv" % (tag, leg), "w") as f:
            lon, lat = random.uniform(-60, -20), random.uniform(-10, 30)
            for k in range(12):
                lon += random.gauss(0, .3); lat += random.gauss(0, .2)
                f.write("%d,%.4f,%.4f,%s\n" % (k * 6, lon, lat, random.choice("3210AB")))
