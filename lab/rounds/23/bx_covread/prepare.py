import random
random.seed(2319)
R = random.random
with open("depth.bedgraph", "w") as f:
    p = 0
    for i in range(130000):
        n = 5 + int(R() * 60)
        f.write("chr%d %d %d %d\n" % (i // 12000 + 1, p, p + n, int(R() * R() * 90)))
        p = 0 if (i + 1) % 12000 == 0 else p + n
