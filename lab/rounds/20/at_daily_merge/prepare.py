import sys, random
days, n = int(sys.argv[1]), int(sys.argv[2])
random.seed(19)
pool = ["%.2f ST%02d %s %.3f" % (random.uniform(0, 86400), random.randint(1, 40), random.choice("PS"), random.random()) for _ in range(n + 7000)]
for d in range(days):
    with open("picks_%03d.txt" % (d + 1), "w") as f:
        f.write("# day %d\n" % (d + 1))
        f.write("\n".join("%d %s" % (d + 1, p) for p in pool[d * 701 % 7000:d * 701 % 7000 + n]) + "\n")
