import random
random.seed(14)
ids = ["G%04d" % (100 + 13 * i) for i in range(48)]
with open("gauges.lst", "w") as f:
    f.write("%d\n" % len(ids))
    for g in ids:
        f.write("%s %8.3f %8.3f %6.1f\n" % (g, random.uniform(5, 15), random.uniform(47, 55), random.uniform(2, 900)))
with open("rain.txt", "w") as f:
    for day in range(1, 561):
        for g in ids:
            mm = random.gammavariate(.6, 8) if random.random() < .45 else 0
            f.write("%5d %s %7.1f %2d\n" % (day, g, mm, random.choice([0, 0, 0, 0, 9])))
