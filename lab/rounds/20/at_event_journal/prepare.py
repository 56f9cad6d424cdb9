import sys, random
n = int(sys.argv[1])
random.seed(3)
t = 0.0
with open("picks.txt", "w") as f:
    for i in range(n):
        t0 = t
        for s in range(random.randint(2, 9)):
            f.write("%.3f ST%02d %s %.2f\n" % (t0 + random.random() * 18, random.randint(0, 39), random.choice("PS"), random.random()))
        t += 25 + random.random() * 60
