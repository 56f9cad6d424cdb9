import os, random
r = random.Random(32)
os.mkdir("ftp")
for i in range(110):
    with open("ftp/pegel_%04d.wq" % (2000 + i * 7), "w") as f:
        if i % 40 == 3: continue
        for k in range(8000):
            f.write("%d;%.2f;%.3f\n" % (1700000000 + k * 900, 150 + r.random() * 40, 12 + r.random() * 9) if k % 700 else "# comment\n")
