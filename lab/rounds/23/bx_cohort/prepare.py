import os, random
random.seed(2315)
R = random.random
os.mkdir("samples")
for s in range(4):
    with open("samples/S%02d.depth" % s, "w") as f:
        p = 0
        for i in range(130000):
            p += 1 + int(R() * 40)
            f.write("chr%d\t%d\t%d\n" % (i // 12000 + 1, p, int(R() * R() * 120)))
