import os, random
r = random.Random(53)
os.mkdir("events")
for y in range(2001, 2024):
    with open("events/ev_%d.txt" % y, "w") as f:
        f.write("# events of %d\n" % y)
        for i in range(13000):
            m = r.choice((5, 10, 15, 30, 60, 120, 360, 720))
            f.write("G%04d;%d%02d%02d%02d%02d;%d;%.2f\n" % (r.randint(1, 600), y, r.randint(1, 12), r.randint(1, 28), r.randint(0, 23), r.randint(0, 59), m, r.expovariate(0.2) + 1))
