import random
r = random.Random(11)
with open("bulletins.txt", "w") as f:
    for b in range(5000):
        f.write("SMDL%02d EDZW %02d%02d00\nAAXX %02d%02d1\n" % (b % 40, 1 + b % 28, b % 24, 1 + b % 28, b % 24))
        for k in range(18):
            t = r.randint(-150, 320)
            f.write("%05d 32%03d 8%02d%02d 1%d%03d 2%d%03d 3%04d 4%04d 5%04d\n 7%04d 8%04d 333 6%03d1 91%03d=\n" % (
                10000 + r.randint(0, 899), r.randint(0, 999), r.randint(0, 36), r.randint(0, 20), t < 0, abs(t),
                t < 0, abs(t) // 2, r.randint(9500, 9999), r.randint(0, 350), r.randint(0, 999),
                r.randint(0, 9999), r.randint(0, 9999), r.randint(0, 300), r.randint(0, 99)))
