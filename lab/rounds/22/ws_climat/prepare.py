import os, random
r = random.Random(43)
os.mkdir("kl")
for i in range(420):
    y0 = 1990 if i % 30 == 4 else r.randint(1880, 1930)
    y0 = 2000 if i % 30 == 4 else y0
    with open("kl/st_%05d.kl" % (i * 3 + 44), "w") as f:
        f.write("# station: %05d\n# name: Ort %d\n# height: %d\n" % (i * 3 + 44, i, r.randint(0, 1500)))
        for y in range(y0, 2024):
            for m in range(1, 13):
                f.write("%d%02d;%.1f;%s\n" % (y, m, 9 - 9 * abs(7 - m) / 3 + (y - y0) * .012 + r.gauss(0, 1), "X" if r.random() < .01 else "ok"))
