import random
r = random.Random(41)
ids = ["%05d" % (10001 + 7 * i) for i in range(900)]
with open("catalog.tsv", "w") as f:
    f.write("#id\tname\tlast\tn\ttype\tsum\n")
    for i in ids:
        f.write("%s\tstation-%s-%s\t202401010000\t0\t-\t000000000000\n" % (i, i, "".join(r.choice("abcdefgh") for k in range(12))))
with open("journal.txt", "w") as f:
    for b in range(1600):
        f.write("2024050%d%02d%02d %s " % (1 + b // 600, b % 24, b % 60, r.choice(("SMDL", "SNDL", "SADL"))) +
                " ".join("%s=%s" % (r.choice(ids), "%05d/%05d/%05d" % (r.randint(0, 99999), r.randint(0, 99999), r.randint(0, 99999))) for k in range(12)) + "\n")
